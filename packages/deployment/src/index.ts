export { proveArtefacts } from './artefacts/prove.ts';
export { proveChartOnApiServer } from './chart/api-server.ts';
export { renderChart } from './chart/render.ts';
export { proveRollingRestart } from './rolling-restart/prove.ts';
