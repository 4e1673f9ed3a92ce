import type { ActionId, OccurrenceId } from "@xworkmate/contracts";
import { KeyedQueue } from "@xworkmate/platform/async";
import { expect, it } from "vitest";
import { plainText } from "../../src/channels/lint/plain-text.ts";
import { createMessages } from "../../src/plans/messages.ts";
import type { Recipient } from "../../src/plans/recipient.ts";
import { createPlanService } from "../../src/plans/service/plan-service.ts";
import type { Built, Message } from "../../src/ports/channels/channel.ts";
import type { Payload } from "../../src/ports/plans/plan-event.ts";
import { openScene, SOON, toEmail } from "./executor/executor-scene.ts";
import { payloadOf, ScriptedChannel } from "./executor/scripted-channel.ts";

/** A channel that builds the same bytes for the same message, as long as its setting is the same. */
class AddressedChannel extends ScriptedChannel {
	sender = "me@example.org";
	isReading = true;

	override lint(text: string) {
		return plainText(text);
	}

	override async partsOf(payload: Payload): Promise<Built["parts"]> {
		if (!this.isReading) throw new Error("These bytes can't be read.");
		return super.partsOf(payload);
	}

	override async render({ address, name, text }: Message): Promise<Built> {
		const payload = payloadOf(this.channel, JSON.stringify({ to: { address, name }, from: this.sender, text }));
		return { payload, parts: await super.partsOf(payload), providerMessageId: `<to.${address}>` };
	}
}

const anna = { address: "anna@example.com", name: "Anna" };
const bob = { address: "bob@example.net", name: "Bob" };

async function openAddressBook() {
	const book = new Map<string | undefined, Recipient>([["anna", anna]]);
	const resolveRecipient = (_channel: unknown, contactId: string | undefined): Recipient => {
		const found = book.get(contactId);
		if (found === undefined) throw new Error("There is no such contact.");
		return found;
	};
	const absent = () => Promise.reject(new Error("there are no runs"));
	const messageOf = createMessages(resolveRecipient, { files: absent, answer: absent });
	const channel = new AddressedChannel();
	const scene = await openScene({ channel, parts: { messageOf, resolveRecipient } });
	const { store, log, clock } = scene;
	const service = createPlanService({
		...{ store, log, clock, messageOf, resolveRecipient, resolveRouting: absent, onError: () => undefined },
		channels: new Map([["email" as const, channel]]),
		runs: { cancel: absent },
		queue: new KeyedQueue(),
		maxPlans: 100,
		words: { askModel: absent, scene: absent },
	});
	const shown = async (occurrenceId: OccurrenceId, actionId: ActionId) => {
		const { payloadHash, size, parts } = await service.preview({ occurrenceId, actionId });
		const { to, from } = JSON.parse(parts[0]?.text ?? "{}") as { to?: Recipient; from?: string };
		return { payloadHash, size, to, from };
	};
	return { scene, book, channel, service, shown };
}

it("keeps the recipient that a message was sent to, and shows it, also once the contact is another or gone", async () => {
	const { scene: opened, book, channel, shown } = await openAddressBook();
	await using scene = opened;
	const planId = await scene.plan("p1", [toEmail("Good morning", "anna")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed", addressedTo: anna });
	const { actionId, payloadHash } = await scene.first(planId);
	const occurrenceId = actionId.replace(/-\d+$/, "") as OccurrenceId;
	book.set("anna", bob);
	expect(await shown(occurrenceId, actionId)).toMatchObject({ payloadHash, to: anna });
	book.delete("anna");
	expect(await shown(occurrenceId, actionId)).toMatchObject({ payloadHash, to: anna });
	channel.isReading = false;
	expect(await shown(occurrenceId, actionId)).toMatchObject({ payloadHash, to: anna });
});

it("shows a sent message from the bytes that were sent, though its channel would build others now", async () => {
	const { scene: opened, channel, shown } = await openAddressBook();
	await using scene = opened;
	const planId = await scene.plan("p1", [toEmail("Good morning", "anna")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed" });
	const { actionId, payloadHash } = await scene.first(planId);
	const payload = payloadHash === undefined ? undefined : await scene.store.payload(payloadHash);
	channel.sender = "someone.else@example.org";
	const occurrenceId = actionId.replace(/-\d+$/, "") as OccurrenceId;
	expect(await shown(occurrenceId, actionId)).toEqual({ payloadHash, size: payload?.bytes.length, to: anna, from: "me@example.org" });
});

it("sends a held message to the recipient that its preview shows, and records that one and the message's ID", async () => {
	const { scene: opened, book, channel, service, shown } = await openAddressBook();
	await using scene = opened;
	channel.play = async ({ handOver }) => {
		await handOver();
		return { kind: "held", code: "CHANNEL_AUTH", message: "wrong password", fix: "Set it again." };
	};
	const planId = await scene.plan("p1", [toEmail("Good morning", "anna")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review", addressedTo: anna });
	book.set("anna", bob);
	const { occurrence } = await scene.open(planId);
	const { occurrenceId, revision } = occurrence;
	const { actionId } = await scene.first(planId);
	const { payloadHash, to } = await shown(occurrenceId, actionId);
	expect(to).toEqual(bob);
	const decided = await service.review({ occurrenceId, actionId, revision, decision: "send", payloadHash });
	const providerMessageId = `<to.${bob.address}>`;
	expect(decided.occurrence.delivery).toMatchObject([{ status: "pending", payloadHash, addressedTo: bob, providerMessageId }]);
});

it("says why a text of the user's own can't be sent as the page does, not by the id of the rule", async () => {
	const { scene: opened, channel, service } = await openAddressBook();
	await using scene = opened;
	channel.play = async ({ handOver }) => {
		await handOver();
		return { kind: "held", code: "CHANNEL_AUTH", message: "wrong password", fix: "Set it again." };
	};
	const planId = await scene.plan("p1", [toEmail("Good morning", "anna")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "needs_review" });
	const { occurrenceId, revision } = (await scene.open(planId)).occurrence;
	const edited = {
		occurrenceId,
		actionId: (await scene.first(planId)).actionId,
		revision,
		decision: "edit",
		content: "```sh\nls\n```",
	} as const;
	await expect(service.review(edited)).rejects.toMatchObject({
		code: "CONTENT_INVALID",
		detail: "This text can't be sent through email as it is: it contains a code block (```sh).",
	});
});

it("names the recipient that a server refused before the message was handed over", async () => {
	const { scene: opened, book, channel } = await openAddressBook();
	await using scene = opened;
	channel.play = async () => ({ kind: "refused", code: "RECIPIENT_REFUSED", message: "no such mailbox", fix: "Check the address." });
	const planId = await scene.plan("p1", [toEmail("Good morning", "anna")]);
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "failed", addressedTo: anna });
	book.set("anna", bob);
	expect(await scene.first(planId)).toMatchObject({ addressedTo: anna });
});
