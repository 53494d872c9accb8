import { status } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import { setUpPortal } from './support/portal.ts';

const portal = setUpPortal();

describe('what the service refuses', () => {
  it('is said in the language of the reader, with the names of the fields', async () => {
    const world = await portal.world('deutsch');
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world, { locale: 'de' }));
    await page.getByRole('link', { name: 'Endpunkt hinzufügen' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mein Laden');
    await page.getByText('Erweitert', { exact: true }).click();
    const refused = async (
      of: { url?: string; filter?: string; header?: string },
      words: string,
      field = 'Adresse (URL)',
    ) => {
      await page.getByLabel('Adresse (URL)').fill(of.url ?? 'https://hooks.example.com/');
      await page.getByLabel('Filter (JSON)').fill(of.filter ?? '');
      await page.getByLabel('Signatur', { exact: true }).selectOption(of.header ? 'custom' : 'standard');
      if (of.header) await page.getByLabel('Header der Signatur').fill(of.header);
      await page.getByRole('button', { name: 'Endpunkt hinzufügen' }).click();
      await page.getByRole('alert').getByText(words).waitFor();
      expect(await page.getByRole('alert').locator('[lang=en]').allTextContents()).toEqual([]);
      expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
      const invalid = page.getByLabel(field, { exact: true });
      expect(await invalid.getAttribute('aria-invalid')).toBe('true');
      const [error = ''] = (await invalid.getAttribute('aria-describedby'))?.split(' ').slice(-1) ?? [];
      const text = await page.locator(`[id="${error}"]`).textContent();
      expect(`${field}${text}`.replaceAll(/\s+/g, ' ')).toContain(words);
    };
    await refused(
      { url: 'https://ada:secret@example.com/' },
      'Adresse (URL) darf weder Leerzeichen noch Benutzernamen, Passwort oder # enthalten.',
    );
    await refused(
      { url: 'https://127.0.0.1/' },
      'Adresse (URL) muss eine Adresse im öffentlichen Internet sein.',
    );
    await refused({ filter: '{"payload": {"a": {"$regex": "x"}}}' }, 'ist nicht bekannt.', 'Filter (JSON)');
    await refused(
      { header: 'Host' },
      'Header der Signatur ist kein wählbarer Header-Name.',
      'Header der Signatur',
    );
  });

  it('is said in English where there is no text, and says so to screen readers', async () => {
    const world = await portal.world('fallback');
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world, { locale: 'fr' }));
    await page.getByRole('link', { name: 'Ajouter un point de terminaison' }).click();
    await page.getByLabel('Nom', { exact: true }).fill('Boutique');
    await page.getByLabel('Adresse (URL)').fill('https://hooks.example.com/');
    await page.getByText('Options avancées', { exact: true }).click();
    await page.getByLabel('Filtre (JSON)').fill('{"payload": {"a": {"$gte": true}}}');
    await page.getByRole('button', { name: 'Ajouter le point de terminaison' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('a une valeur non autorisée.').waitFor();
    expect(await alert.locator('[lang=en]').allTextContents()).toEqual(['(must be a number or a text)']);
  });

  it('does not hide that an endpoint may have been added if the response was lost', async () => {
    const world = await portal.world('lost');
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world));
    await page.getByRole('link', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Added unseen');
    await page.getByLabel('Address (URL)').fill('https://hooks.example.com/');
    await page.route('**/channels', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    await page.getByRole('alert').getByText('check whether it was saved').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Endpoints' }).first().click();
    await page.getByRole('link', { name: 'Added unseen' }).waitFor();
  });

  it('is said once for a conflict that the page knows', async () => {
    const world = await portal.world('overlap');
    await portal.endpoint(world, 'Receiver', portal.hooks().endpoint('/overlap', status(200)));
    const { page } = await portal.openPage();
    await page.goto(await portal.link(world, { locale: 'es' }));
    await page.getByRole('link', { name: 'Receiver' }).click();
    for (const isFirst of [true, false]) {
      await page.getByRole('button', { name: 'Renovar el secreto' }).click();
      await page.getByRole('form').getByRole('button', { name: 'Renovar el secreto' }).click();
      if (isFirst) await page.getByRole('button', { name: 'Lo he copiado' }).click();
    }
    await page.getByText('El secreto se renovó hace poco').waitFor();
    expect(await page.getByRole('alert').locator('[lang=en]').count()).toBe(0);
  });
});
