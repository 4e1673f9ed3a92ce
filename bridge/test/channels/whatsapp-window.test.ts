import { ActionId } from "@xworkmate/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JONAS, WhatsAppScene } from "./whatsapp-scene.ts";

let scene: WhatsAppScene;
beforeAll(async () => {
	scene = await WhatsAppScene.open();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

const closed = { kind: "held", code: "WINDOW_CLOSED" };

describe("the 24 hours after somebody wrote", () => {
	it("are not tried where they are known to be over", async () => {
		const requests = (await scene.whatsapp.journal()).length;
		scene.windows.set(JONAS, "2026-03-31T23:59:59.000Z");
		const message = expect.stringContaining("that reached this bridge is more than 24 hours old");
		expect(await scene.send()).toMatchObject({ ...closed, message, handedOver: 0 });
		expect(await scene.whatsapp.journal()).toHaveLength(requests);
		scene.windows.set(JONAS, "2026-04-01T00:00:01.000Z");
		expect(await scene.send()).toMatchObject({ kind: "accepted" });
		scene.windows.clear();
	});

	it("are left to WhatsApp once the user has decided to send, since a reply may not have been heard", async () => {
		scene.windows.set(JONAS, "2026-03-31T23:59:59.000Z");
		const attempt = { actionId: ActionId.parse("plan1-1-1"), n: 2, isReviewed: true } as const;
		expect(await scene.send({}, scene.channel(), undefined, attempt)).toMatchObject({ kind: "accepted", handedOver: 1 });
		await scene.whatsapp.tell("window", { open: false, atOnce: true });
		expect(await scene.send({}, scene.channel(), undefined, attempt)).toMatchObject({ ...closed, handedOver: 1 });
		await scene.whatsapp.tell("window", { open: true });
		scene.windows.clear();
	});

	it("are those of the number that is written from: another number is another sender", async () => {
		const { settings } = scene.stored;
		scene.windows.set("+66812345678", "2026-04-01T00:00:01.000Z");
		expect(await scene.channel().view()).toMatchObject({ windowUntil: "2026-04-01T00:00:01.000Z" });
		scene.stored.settings = { ...settings, phoneNumberId: "1" };
		expect(await scene.channel().view()).not.toHaveProperty("windowUntil");
		scene.stored.settings = settings;
		scene.windows.clear();
	});

	it("are said at once, or after it was accepted", async () => {
		await scene.whatsapp.tell("window", { open: false, atOnce: true });
		expect(await scene.send()).toMatchObject(closed);
		await scene.whatsapp.tell("window", { open: false });
		expect(await scene.send()).toMatchObject({ kind: "accepted" });
		expect((await scene.whatsapp.messages()).at(-1)).toMatchObject({ failsLater: true });
		await scene.whatsapp.tell("window", { open: true });
	});
});
