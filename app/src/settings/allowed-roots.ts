import { readLiveSetting } from "./live-setting.ts";

/**
 * The project folders that are set in the environment or else in the current config.json; none if neither sets any, or if that file can't
 * be used.
 */
export async function readAllowedRoots(home: string, env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
	const value = await readLiveSetting(home, env, "XWORKMATE_ALLOWED_ROOTS");
	return Array.isArray(value) ? value : [];
}
