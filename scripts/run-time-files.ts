import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGES = resolve(import.meta.dirname, '../node_modules');
const FONTS = '@expo-google-fonts/vazirmatn';

/** A file that a module reads when it runs, so that a bundle of the module needs it beside it. */
interface RunTimeFile {
  /** How the module's path ends. */
  of: string;
  /** From the folder of the packages. */
  from: string;
  /** From the folder of the bundle. */
  to: string;
}

const RUN_TIME_FILES: readonly RunTimeFile[] = [
  // It looks for the file beside its own module, which the bundle is now.
  {
    of: 'node_modules/pdfkit/js/pdfkit.node.mjs',
    from: 'pdfkit/js/data/sRGB_IEC61966_2_1.icc',
    to: 'data/sRGB_IEC61966_2_1.icc',
  },
  // It looks for the package, as Node does. The licence of a font goes where the font goes.
  ...['400Regular/Vazirmatn_400Regular.ttf', '700Bold/Vazirmatn_700Bold.ttf', 'LICENSE_FONT'].map((file) => ({
    of: 'functions/page/document-fonts.ts',
    from: `${FONTS}/${file}`,
    to: `node_modules/${FONTS}/${file}`,
  })),
];

/** Copies the files that the modules of a bundle read when they run. @param folder of the bundle */
export async function copyRunTimeFiles(folder: string, { inputs }: Metafile): Promise<void> {
  const modules = Object.keys(inputs);
  for (const { of, from, to } of RUN_TIME_FILES) {
    if (!modules.some((module) => module.endsWith(of))) continue;
    await cp(join(PACKAGES, from), join(folder, to));
  }
}
