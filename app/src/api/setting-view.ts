import type { SettingSource, SettingsProblem, SettingValue } from "@xworkmate/contracts";
import type { Setting } from "@xworkmate/platform/settings";

/** A setting in effect, with what a form needs to show it. */
export interface SettingRow
	extends Pick<Setting, "name" | "key" | "flag" | "meaning" | "group" | "form" | "of" | "isSecret" | "secretFile" | "inFile" | "live"> {
	/** The value that applies if nothing is set; absent if there is none. */
	readonly default?: SettingValue;
	readonly source: SettingSource;
	/** Absent if no value is set, and always for a secret. */
	readonly value?: SettingValue;
	/**
	 * Present if config.json or the app's environment has another value, which applies once the bridge, or the app, has been restarted, or
	 * can't apply before the list's problem has been corrected.
	 */
	readonly waits?: "bridge" | "app" | "correction";
	/**
	 * What is saved, if that is not what is in effect. Has no value if nothing is saved, or if the setting is a secret. A form shows and
	 * changes this, or it would undo a change that waits. Absent if what is saved is not known, as for a bridge elsewhere.
	 */
	readonly next?: SavedSetting;
	/** Present if the value that waits for the bridge's restart comes from a variable, which takes precedence over config.json. */
	readonly waitsInVariable?: true;
	/** Present if config.json, or its entry for this setting, can't be used, and no running process reports the value. */
	readonly unread?: true;
}

export type SavedSetting = Pick<SettingRow, "source" | "value">;

export interface SettingList {
	/** The path of config.json. */
	readonly path: string;
	readonly settings: readonly SettingRow[];
	/** Why the current settings are not in effect: config.json, a secret's file or a variable can't be used. */
	readonly problem?: SettingsProblem;
	/** False if the bridge could not be asked. In that case, these are the settings that it would start with. */
	readonly inEffect: boolean;
}

/** A folder of this computer, and the folders inside it. */
export interface BrowsedFolder {
	/** Absolute. A path that leads through a link is refused. */
	readonly path: string;
	/** The parent folder; absent at the top. */
	readonly parent?: string;
	/** Sorted, at most 2000. */
	readonly folders: readonly { readonly name: string; readonly isHidden: boolean }[];
	/** True if there are more folders than are listed. */
	readonly isCut?: true;
}
