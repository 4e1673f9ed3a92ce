import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toldByWebhook } from "../../../src/channels/whatsapp/webhook-told.ts";
import { callOf, statusCall } from "../../http/webhooks/signed.ts";

const metadata = { phone_number_id: "106540352242922" };
const told = (call: string, number?: string) => toldByWebhook(JSON.parse(call), number).map((one) => one.told);
const messages = (...all: readonly object[]) => callOf({ metadata, messages: all });
const at = "2026-01-05T00:00:00.000Z";

describe("a call of WhatsApp says", () => {
	it.each(["sent", "delivered", "read"])("that a message was %s", (status) => {
		expect(told(statusCall("wamid.1", status, { biz_opaque_callback_data: "p-1-1" }))).toEqual([
			{
				kind: "news",
				news: {
					channel: "whatsapp",
					providerMessageId: "wamid.1",
					ours: { actionId: "p-1-1" },
					at,
					news: { kind: "proved", proof: status },
				},
			},
		]);
	});

	it.each([
		[131047, { kind: "held", code: "WINDOW_CLOSED" }],
		[131026, { kind: "failed", code: "RECIPIENT_REFUSED" }],
		[132015, { kind: "held", code: "TEMPLATE_INVALID" }],
		[131031, { kind: "held", code: "CHANNEL_BLOCKED" }],
		[190, { kind: "held", code: "CHANNEL_AUTH" }],
		[130429, { kind: "held", code: "CHANNEL_UNAVAILABLE" }],
		[131052, { kind: "failed", code: "CONTENT_REFUSED" }],
		[999_999, { kind: "failed", code: "NOT_SENT" }],
		// The number is right, and the account is not restricted.
		[131049, { kind: "held", code: "CHANNEL_BLOCKED", fix: expect.stringContaining("Wait at least a day") }],
		[131050, { kind: "failed", code: "RECIPIENT_REFUSED", fix: expect.stringContaining("opted out") }],
		[131042, { kind: "held", code: "CHANNEL_BLOCKED", fix: expect.stringContaining("payment") }],
		[131045, { kind: "held", code: "CHANNEL_UNAVAILABLE", fix: expect.stringContaining("Register the number") }],
		[131057, { kind: "held", code: "CHANNEL_UNAVAILABLE", fix: expect.stringContaining("later") }],
		[131000, { kind: "held", code: "CHANNEL_UNAVAILABLE", fix: expect.stringContaining("later") }],
	])("that a message failed with %i", (code, expected) => {
		const call = statusCall("wamid.1", "failed", { errors: [{ code, title: "A title", error_data: { details: "and \u202edetails\n" } }] });
		expect(told(call)).toMatchObject([
			{ news: { news: { ...expected, message: expect.stringContaining(`(${code}: A title: and  details `) } } },
		]);
	});

	it("which attempt it was, if that went along", () => {
		expect(told(statusCall("w", "sent", { biz_opaque_callback_data: "p-1-1/3" }))).toMatchObject([
			{ news: { ours: { actionId: "p-1-1", attempt: 3 } } },
		]);
		for (const data of ["", "not ours", "../p", "p-1-1/", "{}"])
			expect(told(statusCall("w", "sent", { biz_opaque_callback_data: data }))[0]).not.toHaveProperty("news.ours");
	});

	it("who wrote and when, and never what", () => {
		const one = { id: "wamid.9", from: "15550001111", timestamp: "1767571200", type: "text", text: { body: "a private word" } };
		expect(told(messages(one))).toEqual([{ kind: "reply", channel: "whatsapp", address: "+15550001111", number: "106540352242922", at }]);
		expect(JSON.stringify(toldByWebhook(JSON.parse(messages(one)), undefined))).not.toContain("private");
		expect(told(messages({ ...one, type: "system" }, { ...one, from: "nobody" }))).toEqual([]);
	});

	it("the same under the same key, in whichever batch", () => {
		const keys = (call: string) => toldByWebhook(JSON.parse(call), undefined).map(({ key }) => key);
		const [one, two, three] = ["sent", "delivered", "read"].map((status) => ({ id: "wamid.1", status, timestamp: "1767571200" }));
		const together = keys(callOf({ metadata, statuses: [one, two, three, one] }));
		expect(together[3]).toBe(together[0]);
		expect(new Set(together).size).toBe(3);
		expect(keys(callOf({ metadata, statuses: [two] }))).toEqual([together[1]]);
		expect(keys(statusCall("wamid.1", "delivered", { pricing: { billable: true } }))).toEqual([together[1]]);
		expect(keys(statusCall("wamid.2", "delivered"))).not.toEqual([together[1]]);
	});

	it("nothing that is about another number than ours", () => {
		expect(told(statusCall("w", "sent"), "106540352242922")).toHaveLength(1);
		expect(told(statusCall("w", "sent"), "1")).toEqual([]);
	});

	it("what is known, beside what is not", () => {
		const odd = [null, 1, {}, { id: "w", status: "held", timestamp: "1" }, { id: "w", status: "sent", timestamp: "soon" }];
		const good = { id: "w", status: "read", timestamp: 1_767_571_200 };
		expect(told(callOf({ metadata, statuses: [...odd, good], messages: odd }))).toHaveLength(1);
		expect(told(JSON.stringify({ object: "page", entry: [] }))).toEqual([]);
	});

	it("nothing, and does not fail, whatever it is", () => {
		fc.assert(fc.property(fc.jsonValue(), (value) => toldByWebhook(value, undefined).length === 0));
		fc.assert(fc.property(fc.jsonValue(), (value) => toldByWebhook(JSON.parse(callOf(value)), undefined).length === 0));
	});
});
