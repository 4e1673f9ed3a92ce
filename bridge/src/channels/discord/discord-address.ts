import { AddressError } from "../set-up/channel-kind.ts";

/** Where a message goes on Discord: to a person, in a direct message, or to a channel. */
export interface DiscordPlace {
	readonly kind: "user" | "channel";
	/** The id that Discord's "Copy ID" copies. */
	readonly id: string;
}

const FORM = /^(?:(user|channel):)?([1-9]\d{0,19})$/;

/**
 * `user:<id>` or `channel:<id>`. A bare id means a person, so that a private message never appears where others can read it.
 * @throws AddressError
 */
export function discordAddress(given: string): string {
	const { kind, id } = readPlace(given.trim());
	return `${kind}:${id}`;
}

/** @throws AddressError */
export function readPlace(address: string): DiscordPlace {
	const [, kind = "user", id] = FORM.exec(address) ?? [];
	if (id === undefined)
		throw new AddressError(
			"A Discord address is user: or channel: and an ID copied from Discord, such as user:200 or channel:300. A user name doesn't work.",
		);
	return { kind: kind === "channel" ? "channel" : "user", id };
}
