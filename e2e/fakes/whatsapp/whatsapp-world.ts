import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { GraphRefusal } from "./errors.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

const Common = {
	messaging_product: z.literal("whatsapp"),
	recipient_type: z.literal("individual").optional(),
	to: z.string().regex(/^\+?[1-9]\d{6,14}$/),
	biz_opaque_callback_data: z.string().max(512).optional(),
};
const Media = z.strictObject({ id: z.string(), caption: z.string().max(1_024).optional() });
const Message = z.discriminatedUnion("type", [
	z.strictObject({
		...Common,
		type: z.literal("text"),
		text: z.strictObject({ body: z.string().min(1).max(4_096), preview_url: z.boolean().optional() }),
	}),
	z.strictObject({ ...Common, type: z.literal("image"), image: Media }),
	z.strictObject({ ...Common, type: z.literal("document"), document: Media.extend({ filename: z.string().optional() }) }),
	z.strictObject({
		...Common,
		type: z.literal("template"),
		template: z.strictObject({
			name: z.string(),
			language: z.strictObject({ code: z.string() }),
			components: z
				.array(z.object({ type: z.string(), parameters: z.array(z.object({ type: z.literal("text"), text: z.string() })) }))
				.optional(),
		}),
	}),
]);

interface Template {
	readonly name: string;
	readonly language: string;
	readonly status: "APPROVED" | "PAUSED" | "PENDING";
	readonly body: string;
}

/** A message that was accepted. `body`: the request's, as it came. */
export interface AcceptedMessage {
	readonly id: string;
	readonly to: string;
	readonly type: string;
	readonly body: string;
	readonly callbackData?: string;
	/** WhatsApp will say so later: the window was closed. */
	readonly failsLater?: true;
}

/** Who may be written to, what was sent, and which files there are. What is accepted is on disk before anybody hears of it. */
export class WhatsAppWorld {
	readonly phoneNumberId = "106540352242922";
	readonly businessAccountId = "102290129340398";
	readonly accessToken = "EAAfake0WhatsApp0token0of0the0tests";
	readonly sender = "15550783881";
	readonly messages: AcceptedMessage[] = [];
	readonly media = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
	readonly templates: Template[] = [
		{ name: "hello_world", language: "en_US", status: "APPROVED", body: "Hello World" },
		{ name: "plan_update", language: "en_US", status: "APPROVED", body: "News of {{1}}" },
		{ name: "paused_one", language: "en_US", status: "PAUSED", body: "Hello" },
	];
	/** By number without its +; absent: as `isOpen` says. */
	readonly windows = new Map<string, number>();
	isOpen = true;
	/** A closed window is said by a webhook, as mostly, or at once. */
	closedAtOnce = false;
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** @throws GraphRefusal */
	accept(body: Buffer): AcceptedMessage {
		const message = this.#parsed(body);
		const to = message.to.replace("+", "");
		if (to === this.sender) throw new GraphRefusal(131021);
		// Numbers that end so have no WhatsApp.
		if (to.endsWith("0000404")) throw new GraphRefusal(131026);
		if (message.type === "template") this.#checkTemplate(message.template);
		const mediaId = message.type === "image" ? message.image.id : message.type === "document" ? message.document.id : undefined;
		if (mediaId !== undefined && !this.media.has(mediaId)) throw new GraphRefusal(131009, "The media id is not known.");
		const isClosed = message.type !== "template" && !this.#isOpen(to);
		if (isClosed && this.closedAtOnce) throw new GraphRefusal(131047);
		const accepted: AcceptedMessage = {
			id: `wamid.HBgL${Buffer.from(`${to}-${this.messages.length + 1}`).toString("base64")}`,
			to,
			type: message.type,
			body: body.toString("utf8"),
			...(message.biz_opaque_callback_data !== undefined && { callbackData: message.biz_opaque_callback_data }),
			...(isClosed && { failsLater: true as const }),
		};
		this.#write(`message-${String(this.messages.length + 1).padStart(4, "0")}.json`, Buffer.from(JSON.stringify(accepted)));
		this.messages.push(accepted);
		return accepted;
	}

	/** @throws GraphRefusal */
	async upload(contentType: string, body: Buffer): Promise<string> {
		const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData().catch(() => undefined);
		const file = form?.get("file");
		if (form?.get("messaging_product") !== "whatsapp") throw new GraphRefusal(100, "(#100) The parameter messaging_product is required.");
		if (!(file instanceof File)) throw new GraphRefusal(100, "(#100) The parameter file is required.");
		const type = String(form.get("type") ?? file.type);
		if (type === "application/octet-stream" || type === "text/html")
			throw new GraphRefusal(
				100,
				`Param file must be a file with one of the following types: text/plain, application/pdf. Received file of type '${type}'.`,
			);
		const id = String(1_166_846_181_421_424 + this.media.size);
		const bytes = Buffer.from(await file.arrayBuffer());
		this.#write(`media-${id}`, bytes);
		this.media.set(id, { type, bytes });
		return id;
	}

	/** Someone wrote to the number: for a day they may be written to. */
	wrote(from: string): void {
		this.windows.set(from, Date.now() + DAY_MS);
	}

	#parsed(body: Buffer) {
		let value: unknown;
		try {
			value = JSON.parse(body.toString("utf8"));
		} catch {
			throw new GraphRefusal(100, "The body is no JSON.");
		}
		const parsed = Message.safeParse(value);
		if (parsed.success) return parsed.data;
		const [issue] = parsed.error.issues;
		throw new GraphRefusal(100, `${issue?.path.join(".")}: ${issue?.message}`);
	}

	#checkTemplate({
		name,
		language,
		components,
	}: {
		name: string;
		language: { code: string };
		components?: readonly { type: string; parameters: readonly { text: string }[] }[] | undefined;
	}): void {
		const template = this.templates.find((one) => one.name === name && one.language === language.code);
		if (template === undefined || template.status === "PENDING") throw new GraphRefusal(132001);
		if (template.status === "PAUSED") throw new GraphRefusal(132015);
		const given = components?.find(({ type }) => type === "body")?.parameters ?? [];
		if (given.length !== (template.body.match(/\{\{\d+\}\}/g) ?? []).length) throw new GraphRefusal(132000);
		if (given.some(({ text }) => /[\n\t]| {5}/.test(text)))
			throw new GraphRefusal(132007, "Parameter values can't have new lines, tabs or more than four spaces in a row.");
	}

	#isOpen(to: string): boolean {
		const until = this.windows.get(to);
		return until === undefined ? this.isOpen : until > Date.now();
	}

	#write(name: string, bytes: Buffer): void {
		const file = openSync(join(this.#folder, name), "wx");
		writeSync(file, bytes);
		fsyncSync(file);
		closeSync(file);
	}
}
