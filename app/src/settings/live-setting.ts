import type { SettingValue } from "@xworkmate/contracts";
import { combineSettings, environmentTexts, jsonValueOf, readConfigFile, settings } from "@xworkmate/platform/settings";

/**
 * The value of a setting in the environment or else in the current config.json; undefined if neither sets it, or if that file can't be
 * used.
 */
export async function readLiveSetting(
	home: string,
	env: Readonly<Record<string, string | undefined>>,
	name: string,
): Promise<SettingValue | undefined> {
	const { values } = await readConfigFile(home);
	const file = new Map([...values].map(([key, { text }]) => [key, text] as const));
	const one = settings.filter((setting) => setting.name === name);
	const [found] = combineSettings({ flags: new Map(), environment: environmentTexts(env), file }, one);
	return found?.text === undefined ? undefined : jsonValueOf(found.setting, found.text);
}
