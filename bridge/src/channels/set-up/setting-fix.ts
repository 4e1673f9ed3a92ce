import type { ChannelId } from "@xworkmate/contracts";
import type { ChannelKind, Stored } from "./channel-kind.ts";

/**
 * What to do about settings that can't be used: correct them or, if the channel doesn't have a setting or a secret, delete that from the
 * file that has it. The command has no option to remove an unknown setting, and refuses to set another one while it is in the file.
 */
export function settingFix(channel: ChannelId, { settings, secrets }: Stored, known: Pick<ChannelKind, "settings" | "secrets">): string {
	const strange = [
		...unknownIn(settings, known.settings).map((name) => `${name} under \`${channel}\` in channels.json`),
		...unknownIn(secrets, known.secrets).map((name) => `${name} under \`${channel}\` in channel-secrets.json`),
	];
	if (strange.length === 0) return `Correct the setting. \`npm run -s xworkmate -- channels setup ${channel} --help\` lists the options.`;
	return `Delete ${strange.join(", and ")}, or remove the channel with its settings: \`npm run -s xworkmate -- channels remove ${channel}\`.`;
}

function unknownIn(given: Readonly<Record<string, unknown>>, known: readonly string[]): readonly string[] {
	const names = Object.keys(given).filter((name) => !known.includes(name));
	return names.length === 0 ? [] : [names.map((name) => `\`${name.replace(/[^\w.-]/g, "?").slice(0, 64)}\``).join(", ")];
}
