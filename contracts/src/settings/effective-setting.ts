import { z } from "zod";

/** Where a setting's value comes from, in order of precedence: a flag overrides the environment, which overrides config.json. */
export const SettingSource = z.enum(["flag", "environment", "file", "default"]);
export type SettingSource = z.infer<typeof SettingSource>;

/** A value as it appears in config.json. */
export const SettingValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type SettingValue = z.infer<typeof SettingValue>;

export const EffectiveSetting = z.object({
	/** The setting's name in config.json. */
	key: z.string(),
	source: SettingSource,
	/** Absent if there is no value, and for a secret. */
	value: SettingValue.optional(),
	/** True: config.json, or the secret's file, now has another value, which takes effect when the bridge restarts. */
	waiting: z.literal(true).optional(),
});
export type EffectiveSetting = z.infer<typeof EffectiveSetting>;

/** Why changed settings are not in effect: config.json or a secret's file can't be used, so the previous values stay in effect. */
export const SettingsProblem = z.object({ message: z.string(), fix: z.string() });
export type SettingsProblem = z.infer<typeof SettingsProblem>;
