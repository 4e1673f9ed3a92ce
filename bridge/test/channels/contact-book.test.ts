import { ActionId, ContactId, ContractError, errorCatalogue } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { ChannelScene } from "./channel-scene.ts";
import { aMessage } from "./mail-scene.ts";

const contact = (address: string) => ({ contactId: ContactId.parse("jonas"), name: "Jonas", addresses: { email: address } });

describe("[T2-15] whom a message goes to", () => {
	it("is the channel's owner if nobody is named", async () => {
		using scene = new ChannelScene();
		expect(() => scene.opened.resolveRecipient("email", undefined)).toThrow(expect.objectContaining({ code: "RECIPIENT_REQUIRED" }));
		await scene.service["channels.configure"]({ channel: "email", settings: { owner: "mira@mail.example" }, secrets: {} });
		expect(scene.opened.resolveRecipient("email", undefined)).toEqual({ address: "mira@mail.example" });
		expect(scene.opened.resolveRecipient("dashboard", undefined)).toEqual({ address: "dashboard" });
		const fix = expect.stringContaining("`npm run -s xworkmate -- channels setup discord --owner ID`");
		expect(() => scene.opened.resolveRecipient("discord", undefined)).toThrow(expect.objectContaining({ code: "RECIPIENT_REQUIRED", fix }));
	});

	it("is a contact otherwise, as long as it is one and has an address", async () => {
		using scene = new ChannelScene();
		await scene.service["contacts.put"](contact("jonas@example.org"));
		expect(scene.opened.resolveRecipient("email", "jonas")).toEqual({ address: "jonas@example.org", name: "Jonas" });
		await scene.service["contacts.put"](contact("other@example.org"));
		expect((await scene.service["contacts.list"]({})).contacts).toEqual([contact("other@example.org")]);
		expect(() => scene.opened.resolveRecipient("dashboard", "jonas")).toThrow(expect.objectContaining({ code: "RECIPIENT_UNKNOWN" }));
		expect((await scene.service["contacts.remove"]({ contactId: ContactId.parse("jonas") })).contacts).toEqual([]);
		expect(() => scene.opened.resolveRecipient("email", "jonas")).toThrow(expect.objectContaining({ code: "RECIPIENT_UNKNOWN" }));
		await expect(scene.service["contacts.remove"]({ contactId: ContactId.parse("jonas") })).rejects.toMatchObject({
			code: "INVALID_PARAMS",
		});
	});

	it("needs a contact with the same id, so the fix for one that is gone names the id, and that for a missing address does not", async () => {
		using scene = new ChannelScene();
		await scene.service["contacts.put"](contact("jonas@example.org"));
		const fixOf = (channel: "email" | "whatsapp", contactId: string) => {
			try {
				scene.opened.resolveRecipient(channel, contactId);
			} catch (error) {
				return error instanceof ContractError ? error.fix : undefined;
			}
		};
		const gone = "Choose another recipient, or add a contact with this id:";
		expect(fixOf("email", "anna-x1y2")).toBe(`${gone} \`npm run -s xworkmate -- contacts add anna-x1y2 --name NAME --email ADDRESS\`.`);
		expect(fixOf("whatsapp", "jonas")).toBe(errorCatalogue.RECIPIENT_UNKNOWN.fix);
		expect(fixOf("email", "eve@example.org")).toBe(errorCatalogue.RECIPIENT_UNKNOWN.fix);
	});

	it("is never an address in the place of a contact", async () => {
		using scene = new ChannelScene();
		await scene.service["contacts.put"](contact("jonas@example.org"));
		expect(() => scene.opened.resolveRecipient("email", "eve@example.org")).toThrow(expect.objectContaining({ code: "RECIPIENT_UNKNOWN" }));
	});

	it.for([
		["jonas@bücher.example", "jonas@xn--bcher-kva.example"],
		["Jonas@Example.ORG", "Jonas@example.org"],
		["jonas@pаypal.example", "jonas@xn--pypal-4ve.example"],
		["jonas+news@example.org", "jonas+news@example.org"],
	] as const)("is written so that a foreign letter cannot hide: %s", async ([given, address]) => {
		using scene = new ChannelScene();
		await scene.service["contacts.put"](contact(given));
		expect(scene.opened.resolveRecipient("email", "jonas").address).toBe(address);
	});

	it("is kept and listed with the address that messages go to, however it was typed", async () => {
		using scene = new ChannelScene();
		const jonas = {
			...contact("jonas@Example.ORG"),
			addresses: { email: "jonas@Example.ORG", whatsapp: "+66 81 234 5678", discord: "200" },
		};
		const kept = { ...jonas, addresses: { email: "jonas@example.org", whatsapp: "+66812345678", discord: "user:200" } };
		expect(await scene.service["contacts.put"](jonas)).toEqual(kept);
		expect(JSON.parse(scene.text("channels.json"))).toMatchObject({ contacts: [kept] });
	});

	it("is listed so too if it was kept as it was typed, and as it is if nothing can be sent to it", async () => {
		using scene = new ChannelScene();
		const jonas = { ...contact("jonas"), addresses: { email: "jonas", whatsapp: "+66 81 234 5678", discord: "200" } };
		const anna = { ...contact("anna@example.org"), contactId: ContactId.parse("anna") };
		scene.write("channels.json", JSON.stringify({ version: 1, contacts: [anna, jonas] }));
		const listed = { ...jonas, addresses: { email: "jonas", whatsapp: "+66812345678", discord: "user:200" } };
		expect((await scene.service["contacts.list"]({})).contacts).toEqual([anna, listed]);
		expect((await scene.service["contacts.remove"]({ contactId: anna.contactId })).contacts).toEqual([listed]);
	});

	it.for([
		"jonas",
		"jonas@",
		"@example.org",
		"jonas@localhost",
		"jonas@example.org\r\nBcc: eve@example.org",
		"jonas@example.org, eve@example.org",
		"<jonas@example.org>",
		"jonas @example.org",
		"jonas@exa\u200bmple.org",
		"jönas@example.org",
		"jonas@[127.0.0.1]",
		`${"j".repeat(260)}@example.org`,
		"jonas@example.org>\u0000",
	])("has no address such as %j", async (address) => {
		using scene = new ChannelScene();
		await expect(scene.service["contacts.put"](contact(address))).rejects.toMatchObject({ code: "INVALID_PARAMS" });
	});

	it("has a name of one line, and addresses where this bridge can send", async () => {
		using scene = new ChannelScene();
		const put = scene.service["contacts.put"];
		await expect(put({ ...contact("jonas@example.org"), name: "Jonas\nBcc: eve" })).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		await expect(put({ ...contact("jonas@example.org"), addresses: { whatsapp: "+491" } })).rejects.toMatchObject({
			code: "INVALID_PARAMS",
		});
		await expect(put({ ...contact("jonas@example.org"), addresses: { dashboard: "me" } })).rejects.toMatchObject({
			code: "INVALID_PARAMS",
		});
	});

	it("stays within what the file can hold", async () => {
		using scene = new ChannelScene();
		const contacts = Array.from({ length: 6_800 }, (_, index) => ({
			...contact(`jonas${index}@example.org`),
			contactId: `c${index}`,
			name: "J".repeat(60),
		}));
		scene.write("channels.json", JSON.stringify({ version: 1, contacts }));
		await expect(scene.service["contacts.put"](contact("jonas@example.org"))).rejects.toMatchObject({
			code: "CHANNEL_UNAVAILABLE",
			message: expect.stringContaining("1 MB"),
		});
		expect((await scene.service["contacts.list"]({})).contacts.length).toBe(6_800);
	});
});

describe("[T2-38] the dashboard", () => {
	it("shows the markdown as it is, in a row of the inbox", async () => {
		using scene = new ChannelScene();
		const channel = scene.opened.channels.get("dashboard");
		const built = await channel?.render(aMessage);
		expect(built?.parts).toMatchObject([{ kind: "row", mediaType: "text/markdown", text: aMessage.text }]);
		expect((await channel?.render({ ...aMessage, title: "Other" }))?.payload.sha256).not.toBe(built?.payload.sha256);
		if (channel?.place === undefined || built === undefined) throw new Error("the dashboard has no place");
		const row = channel.place(aMessage, built);
		expect(row).toEqual({
			messageId: "plan1-1-1",
			at: aMessage.at,
			title: aMessage.title,
			text: aMessage.text,
			planId: "plan1",
			occurrenceId: "plan1-1",
			read: false,
		});
		scene.inbox.push(row);
		expect(await scene.service["inbox.list"]({ limit: 10 })).toEqual({ items: [row], unread: 1 });
		expect(await scene.service["inbox.mark"]({ messageIds: ["plan1-1-1"], read: true })).toEqual({ unread: 0 });
		expect(
			(
				await channel.send(built.payload, async () => undefined, new AbortController().signal, {
					actionId: ActionId.parse("plan1-1-1"),
					n: 1,
				})
			).kind,
		).toBe("held");
	});
});
