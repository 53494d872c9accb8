export { startTestService, type TestService, type TestServiceOptions } from './service.ts';
