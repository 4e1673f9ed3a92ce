import { createHmac } from "node:crypto";

type Environment = Readonly<Record<string, string | undefined>>;

/** By the name of a setting, a digest that distinguishes its values. Without the key it reveals nothing about the value. */
export type SettingDigests = Readonly<Record<string, string>>;

/** Of every setting that is set, but for the home: it is how a running app is found. */
export function settingDigests(env: Environment, key: string): SettingDigests {
	const set = Object.entries(env).filter(([name, value]) => name.startsWith("XWORKMATE_") && name !== "XWORKMATE_HOME" && value);
	return Object.fromEntries(set.map(([name, value = ""]) => [name, createHmac("sha256", key).update(`${name}=${value}`).digest("hex")]));
}

/** The names of those that differ, or are set on one side alone. */
export function differentSettings(some: SettingDigests, others: SettingDigests): readonly string[] {
	const names = new Set([...Object.keys(some), ...Object.keys(others)]);
	return [...names].filter((name) => some[name] !== others[name]).sort();
}
