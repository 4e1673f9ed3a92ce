import type { SettingRow } from "../../api/setting-view.ts";
import { commandLine } from "../../text/command-line.ts";
import type { FoundSettings } from "./found-settings.ts";

/** What the user should know about a list of settings that the bridge did not report. */
export function unreportedWords({ bridge, elsewhere, list }: FoundSettings): readonly string[] {
	const start = `  To see the settings that it uses, start the app (${commandLine("start")}), then run ${commandLine("config list")}`;
	if (bridge.kind === "asked") return [];
	if (elsewhere !== undefined)
		return [
			`The bridge at ${elsewhere} has its own settings, which aren't shown here. The bridge settings in this list don't apply to it.`,
			...(bridge.kind === "none" ? [start] : []),
		];
	const settings =
		list.problem === undefined
			? "These are the settings that a bridge would start with here."
			: "A bridge can't start with these settings until they are corrected.";
	if (bridge.kind === "none") return [`No bridge is running. ${settings}`];
	if (bridge.kind === "silent")
		return [
			`XWorkmate is running, but its bridge did not report which settings it uses. ${settings}`,
			`  To find out why, run ${commandLine("doctor")}`,
		];
	return [`A bridge is running at ${bridge.url}, but the app isn't running. ${settings} The running one may have others.`, start];
}

/** Why the command can't tell whether a running app's bridge uses the current settings. */
export function unappliedWords({ elsewhere }: FoundSettings): readonly string[] {
	return [
		elsewhere === undefined
			? "XWorkmate can't tell whether the bridge uses these settings, because the bridge did not report which ones it uses."
			: `The bridge at ${elsewhere} has its own settings, and did not report which ones it uses.`,
		`  To find out why, run ${commandLine("doctor")}`,
	];
}

/** What a changed setting of the bridge means for a running bridge that did not report its settings. */
export function unreportedChange({ live }: SettingRow, found: FoundSettings): readonly string[] {
	const { bridge } = found;
	if (bridge.kind === "silent")
		return [
			`XWorkmate is running, but its bridge did not report whether it uses the change yet. To see the settings that it uses, run ${commandLine("config list")}`,
		];
	if (bridge.kind !== "alone") return [];
	const effect =
		live === true
			? "The change applies to the bridge at once, unless its environment or a flag sets this setting."
			: "The change applies to the bridge after a restart.";
	return [`A bridge is running at ${bridge.url}, but the app isn't running. ${effect}`, ...(live === true ? [] : [howToRestart(found)])];
}

/** How the user restarts the bridge. */
export function howToRestart({ bridge, isOwn }: FoundSettings): string {
	if (!isOwn) return "Restart the bridge where it was started.";
	if (bridge.kind !== "alone") return `Restart it: ${commandLine("config apply")}`;
	return `To restart it, start the app (${commandLine("start")}), then run ${commandLine("config apply")}`;
}
