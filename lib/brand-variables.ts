import type { Settings } from './settings.ts';

/** The variables of the environment that have the stage's `branding`. Members that are left out have none. */
export function brandVariables(branding: Settings['branding']): Record<string, string> {
  const { senderName, logo, colour, help, address, footer } = branding;
  const variables = {
    BRAND_SENDER_NAME: senderName,
    BRAND_LOGO: logo,
    BRAND_COLOUR: colour,
    BRAND_HELP: help,
    BRAND_ADDRESS: address,
    BRAND_FOOTER: footer?.toString(),
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
