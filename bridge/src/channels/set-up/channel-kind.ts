import type { ChannelId } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../../ports/channels/channel.ts";

export type SettingValue = string | number | boolean;
/** The settings of a channel, by name. */
export type Settings = Readonly<Record<string, SettingValue>>;
/** Secrets of a channel, by name. */
export type Secrets = Readonly<Record<string, string>>;

/** The current settings and secrets of a channel, read again for each use, because users edit the files. */
export interface Stored {
	readonly settings: Settings;
	readonly secrets: Secrets;
}

/** A kind of channel that this bridge has, and its settings. */
export interface ChannelKind {
	readonly channel: DeliveryChannel;
	/** The name that the user sees: `Email`. */
	readonly name: string;
	/** Names of settings that are not secrets. */
	readonly settings: readonly string[];
	readonly secrets: readonly string[];
	/** What a test also depends on: settings of the bridge that are not among the channel's. */
	readonly basis?: readonly (string | undefined)[];
	/** Why these settings cannot be stored, in a sentence without their secrets; undefined if they can. Missing settings are not a reason. */
	settingsProblem(stored: Stored): string | undefined;
	/**
	 * The address in the form that the channel sends to.
	 * @throws AddressError
	 */
	address(given: string): string;
}

/** An address to which nothing can be sent. The message says why, in a sentence. */
export class AddressError extends Error {
	override readonly name = "AddressError";
}

export type ChannelKinds = ReadonlyMap<ChannelId, ChannelKind>;
