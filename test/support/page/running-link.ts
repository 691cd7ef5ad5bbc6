import { buildDependencies, createLink } from '#page/link/create-link.ts';
import { readEnvironment } from '#registry/environment.ts';
import { startHttpApi, type HttpApi } from '#sandbox/aws/http-api.ts';

/** The HTTP API with the function `link` of a cold start behind it. */
export function serveLinks(
  link: (event: unknown) => Promise<unknown> = (event) =>
    createLink(buildDependencies(readEnvironment(process.env)))(event),
): Promise<HttpApi> {
  return startHttpApi('/d/', link);
}
