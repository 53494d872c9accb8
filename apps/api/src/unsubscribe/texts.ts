/** The texts of the pages, in one language. `{stream}` and `{sender}` are replaced. */
export interface PageTexts {
  readonly direction: 'ltr' | 'rtl';
  readonly title: string;
  readonly ask: string;
  readonly unsubscribe: string;
  readonly done: string;
  readonly undo: string;
  readonly resubscribed: string;
  readonly invalidTitle: string;
  readonly invalid: string;
}

const ltr = (texts: Omit<PageTexts, 'direction'>): PageTexts => ({ direction: 'ltr', ...texts });

/** By primary language subtag (BCP 47). The first is the default. */
export const PAGE_TEXTS: Readonly<Record<string, PageTexts>> = {
  en: ltr({
    title: 'Unsubscribe',
    ask: 'Do you want to stop receiving emails from the list “{stream}” of {sender}?',
    unsubscribe: 'Unsubscribe',
    done: 'You will no longer receive emails from the list “{stream}” of {sender}.',
    undo: 'Subscribe again',
    resubscribed: 'You will receive emails from the list “{stream}” of {sender} again.',
    invalidTitle: 'This link does not work',
    invalid:
      'The address is incomplete, or the link is not one of ours. Please open the link in the email again.',
  }),
  de: ltr({
    title: 'Abmelden',
    ask: 'Möchten Sie keine E-Mails der Liste „{stream}“ von {sender} mehr erhalten?',
    unsubscribe: 'Abmelden',
    done: 'Sie erhalten keine E-Mails der Liste „{stream}“ von {sender} mehr.',
    undo: 'Wieder anmelden',
    resubscribed: 'Sie erhalten wieder E-Mails der Liste „{stream}“ von {sender}.',
    invalidTitle: 'Dieser Link funktioniert nicht',
    invalid:
      'Die Adresse ist unvollständig, oder der Link stammt nicht von uns. Bitte öffnen Sie den Link in der E-Mail noch einmal.',
  }),
  fr: ltr({
    title: 'Se désabonner',
    ask: 'Ne souhaitez-vous plus recevoir les e-mails de la liste « {stream} » de {sender} ?',
    unsubscribe: 'Se désabonner',
    done: 'Vous ne recevrez plus d’e-mails de la liste « {stream} » de {sender}.',
    undo: 'Se réabonner',
    resubscribed: 'Vous recevrez de nouveau les e-mails de la liste « {stream} » de {sender}.',
    invalidTitle: 'Ce lien ne fonctionne pas',
    invalid:
      'L’adresse est incomplète ou le lien n’est pas l’un des nôtres. Veuillez ouvrir de nouveau le lien dans l’e-mail.',
  }),
  es: ltr({
    title: 'Cancelar la suscripción',
    ask: '¿Ya no desea recibir correos de la lista «{stream}» de {sender}?',
    unsubscribe: 'Cancelar la suscripción',
    done: 'Ya no recibirá correos de la lista «{stream}» de {sender}.',
    undo: 'Suscribirse de nuevo',
    resubscribed: 'Volverá a recibir correos de la lista «{stream}» de {sender}.',
    invalidTitle: 'Este enlace no funciona',
    invalid: 'La dirección está incompleta o el enlace no es nuestro. Abra de nuevo el enlace del correo.',
  }),
  it: ltr({
    title: 'Annulla l’iscrizione',
    ask: 'Non desidera più ricevere le e-mail della lista “{stream}” di {sender}?',
    unsubscribe: 'Annulla l’iscrizione',
    done: 'Non riceverà più e-mail della lista “{stream}” di {sender}.',
    undo: 'Iscriviti di nuovo',
    resubscribed: 'Riceverà di nuovo le e-mail della lista “{stream}” di {sender}.',
    invalidTitle: 'Questo link non funziona',
    invalid: 'L’indirizzo è incompleto o il link non è nostro. Apra di nuovo il link nell’e-mail.',
  }),
  pt: ltr({
    title: 'Cancelar a subscrição',
    ask: 'Já não deseja receber e-mails da lista “{stream}” de {sender}?',
    unsubscribe: 'Cancelar a subscrição',
    done: 'Não receberá mais e-mails da lista “{stream}” de {sender}.',
    undo: 'Subscrever de novo',
    resubscribed: 'Voltará a receber e-mails da lista “{stream}” de {sender}.',
    invalidTitle: 'Este link não funciona',
    invalid: 'O endereço está incompleto ou o link não é nosso. Abra de novo o link no e-mail.',
  }),
  nl: ltr({
    title: 'Afmelden',
    ask: 'Wilt u geen e-mails van de lijst ‘{stream}’ van {sender} meer ontvangen?',
    unsubscribe: 'Afmelden',
    done: 'U ontvangt geen e-mails van de lijst ‘{stream}’ van {sender} meer.',
    undo: 'Opnieuw aanmelden',
    resubscribed: 'U ontvangt weer e-mails van de lijst ‘{stream}’ van {sender}.',
    invalidTitle: 'Deze link werkt niet',
    invalid: 'Het adres is onvolledig of de link is niet van ons. Open de link in de e-mail opnieuw.',
  }),
  pl: ltr({
    title: 'Rezygnacja z subskrypcji',
    ask: 'Czy nie chcesz już otrzymywać e-maili z listy „{stream}” od {sender}?',
    unsubscribe: 'Zrezygnuj',
    done: 'Nie będziesz już otrzymywać e-maili z listy „{stream}” od {sender}.',
    undo: 'Zapisz się ponownie',
    resubscribed: 'Będziesz znowu otrzymywać e-maile z listy „{stream}” od {sender}.',
    invalidTitle: 'Ten link nie działa',
    invalid: 'Adres jest niepełny lub link nie pochodzi od nas. Otwórz ponownie link z e-maila.',
  }),
  ja: ltr({
    title: '配信停止',
    ask: '{sender} からの「{stream}」のメールの配信を停止しますか。',
    unsubscribe: '配信を停止する',
    done: '{sender} からの「{stream}」のメールの配信を停止しました。',
    undo: '配信を再開する',
    resubscribed: '{sender} からの「{stream}」のメールの配信を再開しました。',
    invalidTitle: 'このリンクは使えません',
    invalid: 'アドレスが不完全か、正しいリンクではありません。メールのリンクをもう一度開いてください。',
  }),
  ar: {
    direction: 'rtl',
    title: 'إلغاء الاشتراك',
    ask: 'هل تريد التوقف عن تلقي رسائل القائمة «{stream}» من {sender}؟',
    unsubscribe: 'إلغاء الاشتراك',
    done: 'لن تتلقى بعد الآن رسائل القائمة «{stream}» من {sender}.',
    undo: 'الاشتراك مرة أخرى',
    resubscribed: 'ستتلقى رسائل القائمة «{stream}» من {sender} مرة أخرى.',
    invalidTitle: 'هذا الرابط لا يعمل',
    invalid: 'العنوان غير مكتمل أو أن الرابط ليس من روابطنا. يرجى فتح الرابط في الرسالة مرة أخرى.',
  },
};

export const PAGE_LANGUAGES = Object.keys(PAGE_TEXTS);
