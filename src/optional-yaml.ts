/** The package `yaml`, an optional peer. */
export type Yaml = typeof import("yaml");

/** Returns the package `yaml`; undefined where it is not installed. @throws what is wrong with it where it is. */
export async function importYaml(): Promise<Yaml | undefined> {
  try {
    return await import("yaml");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The message names the package: one that `yaml` itself lacks is another matter.
    if (code === "ERR_MODULE_NOT_FOUND" && /'yaml'/.test(message)) return undefined;
    throw error;
  }
}
