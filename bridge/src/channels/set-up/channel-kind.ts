import type { ChannelId } from "@xworkmate/contracts";
import type { DeliveryChannel } from "../../ports/channel.ts";

export type SettingValue = string | number | boolean;
/** The settings of a channel, by name. */
export type Settings = Readonly<Record<string, SettingValue>>;
/** Secrets of a channel, by name. */
export type Secrets = Readonly<Record<string, string>>;

/** What is stored of a channel as of now; read again for each use, because people edit the files. */
export interface Stored {
	readonly settings: Settings;
	readonly secrets: Secrets;
}

/** A channel of this bridge, and the settings it has. */
export interface ChannelKind {
	readonly channel: DeliveryChannel;
	/** As the user reads it: `Email`. */
	readonly name: string;
	/** Names of settings that are not secrets. */
	readonly settings: readonly string[];
	readonly secrets: readonly string[];
	/** Why these settings cannot be stored, in a sentence without their secrets; undefined if they can. What is missing is not a reason. */
	settingsProblem(stored: Stored): string | undefined;
	/** The address as the channel sends to it. @throws AddressError */
	address(given: string): string;
}

/** An address that nothing can be sent to. The message says why, in a sentence. */
export class AddressError extends Error {
	override readonly name = "AddressError";
}

export type ChannelKinds = ReadonlyMap<ChannelId, ChannelKind>;
