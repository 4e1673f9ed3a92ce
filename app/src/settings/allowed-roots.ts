import { combineSettings, environmentTexts, jsonValueOf, readConfigFile, settings } from "@xworkmate/platform/settings";

/** The project folders according to the environment or the current config.json; none if that file cannot be used. */
export async function readAllowedRoots(home: string, env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
	const { values } = await readConfigFile(home);
	const file = new Map([...values].map(([name, { text }]) => [name, text] as const));
	const roots = settings.filter(({ name }) => name === "XWORKMATE_ALLOWED_ROOTS");
	const [found] = combineSettings({ flags: new Map(), environment: environmentTexts(env), file }, roots);
	const value = found && jsonValueOf(found.setting, found.text ?? "");
	return Array.isArray(value) ? value : [];
}
