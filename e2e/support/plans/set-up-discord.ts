import { DIRECT, type FakeDiscord, PLANS } from "../services/fake-discord.ts";
import type { BareClient } from "../wire/bare-client.ts";

/** The owner of the channel `discord`, with the channel of their direct messages and the one to which plans deliver. */
export const owner = { id: "200", username: "mira", direct: DIRECT, channel: PLANS };
/** A contact, with the channel of direct messages with them. */
export const jonas = { contactId: "jonas", name: "Jonas", address: "user:201", direct: "311" };
/** A contact who accepts no direct messages. */
export const closed = { contactId: "closed", name: "Closed", address: "user:999" };

/** Sets Discord up with an owner, and with the channel to which messages without a recipient go. */
export async function setUpDiscord(client: BareClient): Promise<void> {
	const settings = { owner: owner.id, channel: owner.channel };
	await client.rpc("xworkmate.channels.configure", { channel: "discord", settings, secrets: {} });
	for (const { contactId, name, address } of [jonas, closed])
		await client.rpc("xworkmate.contacts.put", { contactId, name, addresses: { discord: address } });
}

/** Stops posts of a channel where `how` says: the request has arrived, and is done or not; the answer is cut, or never comes. */
export async function stopPosts(discord: FakeDiscord, channel: string, how: Readonly<Record<string, unknown>>): Promise<void> {
	await discord.do({ kind: "fail", method: "POST", path: `/channels/${channel}/messages`, ...how });
}
