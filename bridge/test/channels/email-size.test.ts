import { expect, it } from "vitest";
import { MailScene } from "./mail-scene.ts";

const file = (bytes: number) => ({ name: "large.bin", mediaType: "application/octet-stream", bytes: new Uint8Array(bytes) });

it("a message that is larger than the server announces to accept is not said to be rejected: nothing of it was sent", async () => {
	await using scene = await MailScene.ofSize(1_000_000);
	const files = [file(1_500_000)];
	const bytes = (await scene.built({ files })).payload.bytes.byteLength;
	expect(bytes).toBeGreaterThan(2_000_000);
	expect(await scene.send({ files })).toEqual({
		kind: "refused",
		code: "CONTENT_REFUSED",
		message: "The message is 2.1 MB, but 127.0.0.1 accepts at most 1 MB. Nothing was sent.",
		fix: "Shorten the message, or send it without files.",
		handedOver: 0,
	});
	const events = (await scene.smtp.journal()).map(({ event }) => event);
	expect([events.includes("auth"), events.includes("mail")]).toEqual([true, false]);
	expect(await scene.send()).toMatchObject({ kind: "accepted" });
});

it("two sizes that look the same in short are given in bytes", async () => {
	const files = [file(2_000_000)];
	await using any = await MailScene.open();
	const size = (await any.built({ files })).payload.bytes.byteLength - 500;
	await using scene = await MailScene.ofSize(size);
	expect(await scene.send({ files })).toMatchObject({
		message: expect.stringMatching(
			`^The message is \\d{7} bytes, but 127\\.0\\.0\\.1 accepts at most ${size} bytes\\. Nothing was sent\\.$`,
		),
	});
});
