import { readLiveSetting } from "./live-setting.ts";

/** The project folders according to the environment or else the current config.json; none if neither says, or that file cannot be used. */
export async function readAllowedRoots(home: string, env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
	const value = await readLiveSetting(home, env, "XWORKMATE_ALLOWED_ROOTS");
	return Array.isArray(value) ? value : [];
}
