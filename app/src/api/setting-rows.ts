import { SettingValue } from "@xworkmate/contracts";
import { z } from "zod";
import { action, type Functions, nothing, query, repeatable } from "./method.ts";
import type { BrowsedFolder, SettingList } from "./setting-view.ts";

const ofSetting = z.strictObject({ key: z.string().min(1).max(100) });

/** The settings of config.json, and the source of each value in effect. */
export const settingRows = {
	/** All settings with their sources, and the problem, if any, that keeps the current ones from taking effect. */
	listSettings: query(nothing).returns<SettingList>(),
	/**
	 * Writes a value to config.json; without a value, removes the setting. It applies at once if it can without a restart.
	 * @throws AppError INVALID_INPUT, CONFIG_REFUSED, DISK_FULL, HOME_NOT_WRITABLE
	 */
	changeSetting: repeatable(action(ofSetting.extend({ value: SettingValue.exactOptional() })).returns<SettingList>()),
	/**
	 * The folders inside a folder of this computer (by default, the user's home directory), so that the user can choose a project folder.
	 * @throws AppError WORKSPACE_REFUSED
	 */
	browseFolders: query(z.strictObject({ path: z.string().max(4_096).exactOptional() })).returns<BrowsedFolder>(),
	/**
	 * Stores a secret in a separate file; without a secret, removes the file.
	 * @throws as changeSetting
	 */
	storeSecret: repeatable(action(ofSetting.extend({ secret: z.string().max(4_000).exactOptional() })).returns<SettingList>()),
};

export type SettingFunctions = Functions<typeof settingRows>;
