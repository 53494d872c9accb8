import type { Texts } from './en.ts';

export const errors: Texts['errors'] = {
  statuses: {
    0: 'Le service n’a pas répondu. Vérifiez votre connexion et réessayez.',
    403: 'Votre session ne le permet pas.',
    404: 'Cet élément n’existe pas ou n’existe plus.',
    409: 'Ce n’est pas possible pour le moment.',
    422: 'Veuillez vérifier votre saisie.',
    429: 'Trop de requêtes. Attendez un instant et réessayez.',
    503: 'Le service n’est pas disponible pour le moment. Réessayez dans un instant.',
  },
  codes: {
    quota_exceeded: 'Vos événements de ce mois sont épuisés.',
    payment_required: 'Aucun envoi n’est possible pour le moment. Contactez le fournisseur de cette page.',
    delivery_run_not_cancellable: 'Cette livraison ne peut plus être annulée.',
  },
  conflicts: {
    overlap:
      'Le secret a été renouvelé récemment et l’ancien est encore valable. Attendez sa fin ou faites-le expirer immédiatement.',
    notReplayable: 'Un test ne peut pas être renvoyé. Envoyez un nouveau test.',
    erased: 'Les données de cet événement ont été effacées.',
    replays: 'Un autre renvoi n’est pas encore terminé. Réessayez plus tard.',
  },
  sentences: {
    longest: (count) => `doit contenir au plus ${count} caractères.`,
    url: () => 'doit être une adresse complète qui commence par https://.',
    plainUrl: () => 'ne doit contenir ni espace, ni nom d’utilisateur, ni mot de passe, ni #.',
    publicAddress: () => 'doit être une adresse de l’internet public.',
    headerName: () => 'n’est pas un nom d’en-tête autorisé.',
    contains: (part) => `doit contenir ${part}.`,
  },
  details: {
    required: 'est obligatoire.',
    unknown_field: 'n’est pas connu.',
    other: 'a une valeur non autorisée.',
    duplicate: 'figure deux fois.',
    no_matching_channel: 'n’est reçu par aucun de vos points de terminaison.',
    unknown_channel: 'n’est pas un point de terminaison actif.',
    invalid_template: 'Le modèle ne peut pas être rempli avec cet événement.',
  },
};
