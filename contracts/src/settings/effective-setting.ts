import { z } from "zod";

/** Where a setting's value comes from, the strongest first: a flag counts before the environment, that before config.json. */
export const SettingSource = z.enum(["flag", "environment", "file", "default"]);
export type SettingSource = z.infer<typeof SettingSource>;

/** A value as config.json has it. */
export const SettingValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type SettingValue = z.infer<typeof SettingValue>;

export const EffectiveSetting = z.object({
	/** Its name in config.json. */
	key: z.string(),
	source: SettingSource,
	/** Absent if there is none, and for a secret. */
	value: SettingValue.optional(),
	/** A restart of the bridge gives it another value, which is in config.json now. */
	waiting: z.literal(true).optional(),
});
export type EffectiveSetting = z.infer<typeof EffectiveSetting>;

/** Why config.json is not in effect as it is now; what it said before is. */
export const SettingsProblem = z.object({ message: z.string(), fix: z.string() });
export type SettingsProblem = z.infer<typeof SettingsProblem>;
