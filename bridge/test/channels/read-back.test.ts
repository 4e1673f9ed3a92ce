import type { PayloadPart } from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DashboardChannel } from "../../src/channels/dashboard/dashboard-channel.ts";
import type { DeliveryChannel, Message } from "../../src/ports/channels/channel.ts";
import { DiscordScene } from "./discord-scene.ts";
import { aMessage, MailScene } from "./mail-scene.ts";
import { WhatsAppScene } from "./whatsapp-scene.ts";

const line = fc.oneof(
	fc.string(),
	fc.constantFrom("", " ", "## Title", "- a list", "`code` *and* https://example.org/?a=b&c", "สวัสดี 👋", ".", "--x", "From me"),
);
const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n").replace(/\r|\0/g, " ").toWellFormed());
const file = fc.record({
	name: fc.constantFrom("list.pdf", "ünï côde.txt", "a/b.png", 'sa"id.csv', "note.md"),
	mediaType: fc.constantFrom("application/pdf", "text/plain", "image/png", "text/csv", "text/calendar", "text/html", "message/rfc822"),
	bytes: fc.uint8Array({ maxLength: 300 }),
});
const files = fc.array(file, { maxLength: 3 });

async function readsBack(channel: DeliveryChannel, message: Partial<Message>): Promise<void> {
	const { payload, parts } = await channel.render({ ...aMessage, ...message });
	const read = await channel.partsOf(payload);
	expect(read.map(asCompared)).toEqual(parts.map(asCompared));

	/** Discord is told no type of a file, and an email ends with a line end that need not be part of its text. */
	function asCompared(part: PayloadPart): object {
		if (channel.channel === "discord" && part.kind === "file") return { ...part, mediaType: "" };
		if (channel.channel !== "email" || part.kind === "file") return part;
		return { kind: part.kind, mediaType: part.mediaType, text: part.text?.replace(/\n$/, "") };
	}
}

describe("The bytes of a built message read back as", () => {
	it("the email that was previewed", async () => {
		await using scene = await MailScene.open();
		await fc.assert(
			fc.asyncProperty(text, files, (words, attached) => readsBack(scene.channel, { text: words, files: attached })),
			{ numRuns: 100 },
		);
	});

	it("the Discord post that was previewed", async () => {
		await using scene = await DiscordScene.open();
		await fc.assert(fc.asyncProperty(text, files, (words, attached) => readsBack(scene.channel, { text: words, files: attached })));
	});

	it("the WhatsApp message that was previewed", async () => {
		await using scene = await WhatsAppScene.open();
		await fc.assert(
			fc.asyncProperty(text, files, (words, attached) => readsBack(scene.channel(), { text: words, files: attached.slice(0, 1) })),
		);
	});

	it("the inbox message that was previewed", async () => {
		await fc.assert(fc.asyncProperty(text, (words) => readsBack(new DashboardChannel({ lint: () => [] }), { text: words })));
	});
});
