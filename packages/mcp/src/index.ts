export { answerMcpRequest } from './http.ts';
export { serveMcpOnStdio } from './stdio.ts';
