import { SettingValue } from "@xworkmate/contracts";
import { z } from "zod";
import { action, type Functions, nothing, query } from "./method.ts";
import type { BrowsedFolder, SettingList } from "./setting-view.ts";

const ofSetting = z.strictObject({ key: z.string().min(1).max(100) });

/** The settings of config.json, and where each value in effect comes from. */
export const settingRows = {
	/** Every setting as it is in effect, where it comes from, and what is wrong with config.json. */
	listSettings: query(nothing).returns<SettingList>(),
	/**
	 * Writes a value into config.json; without one, removes it. What can apply at once does.
	 * @throws AppError INVALID_INPUT, CONFIG_REFUSED, DISK_FULL, HOME_NOT_WRITABLE
	 */
	changeSetting: action(ofSetting.extend({ value: SettingValue.exactOptional() })).returns<SettingList>(),
	/** The folders inside one of this computer's, to add one as a project folder. @throws AppError WORKSPACE_REFUSED */
	browseFolders: query(z.strictObject({ path: z.string().max(4_096).exactOptional() })).returns<BrowsedFolder>(),
	/** Stores a secret in a file of its own; without one, removes it. @throws as changeSetting */
	storeSecret: action(ofSetting.extend({ secret: z.string().max(4_000).exactOptional() })).returns<SettingList>(),
};

export type SettingFunctions = Functions<typeof settingRows>;
