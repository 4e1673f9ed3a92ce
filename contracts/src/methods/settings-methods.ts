import { z } from "zod";
import { EffectiveSetting, SettingsProblem } from "../settings/effective-setting.ts";
import type { MethodDefinition } from "./method-definition.ts";

export const settingsMethods = {
	"xworkmate.settings.list": {
		params: z.strictObject({}),
		result: z.object({ settings: z.array(EffectiveSetting), problem: SettingsProblem.optional() }),
		streams: false,
		effects: false,
		summary: "The bridge's settings as they are in effect, and where each comes from. Reads config.json again if it has changed.",
	},
} as const satisfies Record<string, MethodDefinition>;
