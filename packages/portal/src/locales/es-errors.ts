import type { Texts } from './en.ts';

export const errors: Texts['errors'] = {
  statuses: {
    0: 'El servicio no ha respondido. Compruebe su conexión e inténtelo de nuevo.',
    403: 'Su sesión no permite esto.',
    404: 'No existe o ya no existe.',
    409: 'No es posible en este momento.',
    422: 'Revise los datos introducidos.',
    429: 'Demasiadas peticiones. Espere un momento e inténtelo de nuevo.',
    503: 'El servicio no está disponible en este momento. Inténtelo de nuevo más tarde.',
  },
  codes: {
    quota_exceeded: 'Ha agotado sus eventos de este mes.',
    payment_required:
      'De momento no se puede enviar nada. Póngase en contacto con el proveedor de esta página.',
    delivery_run_not_cancellable: 'Esta entrega ya no se puede cancelar.',
  },
  conflicts: {
    overlap:
      'El secreto se renovó hace poco y el anterior sigue siendo válido. Espere a que caduque o anúlelo de inmediato.',
    notReplayable: 'Las pruebas no se pueden reenviar. Envíe otra prueba.',
    erased: 'Los datos de este evento se han borrado.',
    replays: 'Otro reenvío aún no ha terminado. Inténtelo más tarde.',
  },
  sentences: {
    longest: (count) => `debe tener como máximo ${count} caracteres.`,
    url: () => 'debe ser una dirección completa que empiece por https://.',
    plainUrl: () => 'no debe contener espacios, nombre de usuario, contraseña ni #.',
    publicAddress: () => 'debe ser una dirección accesible públicamente en Internet.',
    headerName: () => 'no es un nombre de cabecera admitido.',
    contains: (part) => `debe contener ${part}.`,
  },
  details: {
    required: 'es obligatorio.',
    unknown_field: 'no se reconoce.',
    other: 'tiene un valor no permitido.',
    duplicate: 'está repetido.',
    no_matching_channel: 'no lo recibe ninguno de sus endpoints.',
    unknown_channel: 'no es un endpoint activo.',
    invalid_template: 'La plantilla no se puede rellenar con este evento.',
  },
};
