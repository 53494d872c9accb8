import type { Texts } from './en.ts';

export const errors: Texts['errors'] = {
  statuses: {
    0: 'Der Dienst hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    403: 'Ihre Sitzung erlaubt das nicht.',
    404: 'Das gibt es nicht oder nicht mehr.',
    409: 'Das ist im Moment nicht möglich.',
    422: 'Bitte prüfen Sie Ihre Eingaben.',
    429: 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
    503: 'Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  },
  codes: {
    quota_exceeded: 'Ihre Ereignisse für diesen Monat sind aufgebraucht.',
    payment_required: 'Zurzeit kann nichts gesendet werden. Wenden Sie sich an den Anbieter dieser Seite.',
    delivery_run_not_cancellable: 'Diese Zustellung kann nicht mehr abgebrochen werden.',
  },
  conflicts: {
    overlap:
      'Das Geheimnis wurde vor Kurzem erneuert, und das alte ist noch gültig. Warten Sie, bis es abläuft, oder beenden Sie es sofort.',
    notReplayable: 'Tests lassen sich nicht erneut senden. Senden Sie einen neuen Test.',
    erased: 'Die Daten dieses Ereignisses wurden gelöscht.',
    replays: 'Ein anderes erneutes Senden läuft noch. Versuchen Sie es später noch einmal.',
  },
  sentences: {
    longest: (count) => `darf höchstens ${count} Zeichen haben.`,
    url: () => 'muss eine vollständige Adresse sein, die mit https:// beginnt.',
    plainUrl: () => 'darf weder Leerzeichen noch Benutzernamen, Passwort oder # enthalten.',
    publicAddress: () => 'muss eine Adresse im öffentlichen Internet sein.',
    headerName: () => 'ist kein wählbarer Header-Name.',
    contains: (part) => `muss ${part} enthalten.`,
  },
  details: {
    required: 'fehlt.',
    unknown_field: 'ist nicht bekannt.',
    other: 'hat einen unzulässigen Wert.',
    duplicate: 'kommt doppelt vor.',
    no_matching_channel: 'wird von keinem Ihrer Endpunkte empfangen.',
    unknown_channel: 'ist kein aktiver Endpunkt.',
    invalid_template: 'Die Vorlage lässt sich mit diesem Ereignis nicht füllen.',
  },
};
