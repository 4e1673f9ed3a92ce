import type { SettingSource } from "@xworkmate/contracts";
import { type Setting, settings } from "./setting-list.ts";

/** The values of settings from one source, as strings, keyed by variable name. An empty string counts as unset. */
export type SettingTexts = ReadonlyMap<string, string>;

/** The settings that each source contains. */
export interface SettingPlaces {
	readonly flags: SettingTexts;
	readonly environment: SettingTexts;
	/** config.json and, for secrets, their files. */
	readonly file: SettingTexts;
}

/** A setting, with its value as the text of an environment variable. Without a text, the default applies. */
export interface CombinedSetting {
	readonly setting: Setting;
	readonly source: SettingSource;
	readonly text?: string;
}

const order = [
	["flag", "flags"],
	["environment", "environment"],
	["file", "file"],
] as const;

/** Takes each setting from the strongest source that has it: a flag, then the environment, then the file. */
export function combineSettings(places: SettingPlaces, of: readonly Setting[] = settings): readonly CombinedSetting[] {
	return of.map((setting) => {
		for (const [source, place] of order) {
			const text = places[place].get(setting.name);
			if (text) return { setting, source, text };
		}
		return { setting, source: "default" };
	});
}

/** The settings that the environment variables set. */
export function environmentTexts(env: Readonly<Record<string, string | undefined>>): SettingTexts {
	return new Map(settings.flatMap(({ name }): [string, string][] => (env[name] ? [[name, env[name]]] : [])));
}
