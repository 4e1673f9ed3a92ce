import { createHmac } from "node:crypto";
import { knownNames } from "@xworkmate/platform/settings";

type Environment = Readonly<Record<string, string | undefined>>;

/** A digest of each setting's value, by name. Different values have different digests, which do not reveal the values without the key. */
export type SettingDigests = Readonly<Record<string, string>>;

/**
 * Digests of all settings that the environment sets, except the home, which is how a running app is found. Misspelled variables are left
 * out, because no process uses them.
 */
export function settingDigests(env: Environment, key: string): SettingDigests {
	const set = Object.entries(env).filter(([name, value]) => knownNames.includes(name) && name !== "XWORKMATE_HOME" && value);
	return Object.fromEntries(set.map(([name, value = ""]) => [name, createHmac("sha256", key).update(`${name}=${value}`).digest("hex")]));
}

/** The names of settings whose values differ or that only one side has. */
export function differentSettings(some: SettingDigests, others: SettingDigests): readonly string[] {
	const names = new Set([...Object.keys(some), ...Object.keys(others)]);
	return [...names].filter((name) => some[name] !== others[name]).sort();
}
