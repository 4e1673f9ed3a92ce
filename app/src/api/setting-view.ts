import type { SettingSource, SettingsProblem, SettingValue } from "@xworkmate/contracts";
import type { Setting } from "@xworkmate/platform/settings";

/** One setting as it is in effect, and what a form for it needs. */
export interface SettingRow
	extends Pick<Setting, "name" | "key" | "flag" | "meaning" | "group" | "form" | "of" | "isSecret" | "secretFile" | "inFile" | "live"> {
	/** What counts if nothing is set; absent: nothing. */
	readonly default?: SettingValue;
	readonly source: SettingSource;
	/** Absent if there is none, and for a secret. */
	readonly value?: SettingValue;
	/** It has another value in config.json, which counts after a restart of the bridge, or of the app. */
	readonly waits?: "bridge" | "app";
}

export interface SettingList {
	/** Of config.json. */
	readonly path: string;
	readonly settings: readonly SettingRow[];
	/** Why config.json is not in effect as it is now. */
	readonly problem?: SettingsProblem;
	/** False: the bridge was not asked, so its settings are those that it would start with. */
	readonly inEffect: boolean;
}

/** A folder of this computer, and the folders inside it. */
export interface BrowsedFolder {
	/** Absolute, and without links on the way. */
	readonly path: string;
	/** Absent at the top. */
	readonly parent?: string;
	/** Sorted, at most 2000. */
	readonly folders: readonly { readonly name: string; readonly isHidden: boolean }[];
	/** There are more. */
	readonly isCut?: true;
}
