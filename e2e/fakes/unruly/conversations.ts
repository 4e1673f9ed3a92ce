import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const Conversations = z.record(z.string(), z.object({ prompts: z.array(z.string()) }));
type Conversations = z.infer<typeof Conversations>;

/** The agent's conversations; kept in a file when there is a path, so that another process can load them. */
export class ConversationFile {
	readonly #path: string | undefined;
	#held: Conversations = {};

	constructor(path: string | undefined) {
		this.#path = path;
	}

	create(): string {
		const sessionId = `unruly-${randomBytes(6).toString("hex")}`;
		this.#held[sessionId] = { prompts: [] };
		this.#write();
		return sessionId;
	}

	/** False when no process of this agent knows it. */
	load(sessionId: string): boolean {
		const stored = this.#read()[sessionId];
		if (stored === undefined) return false;
		this.#held[sessionId] = stored;
		return true;
	}

	/** The prompts so far with this one, or undefined for a conversation that is not open. */
	remember(sessionId: string, prompt: string): readonly string[] | undefined {
		const conversation = this.#held[sessionId];
		if (conversation === undefined) return undefined;
		conversation.prompts.push(prompt);
		this.#write();
		return conversation.prompts;
	}

	#read(): Conversations {
		if (this.#path === undefined) return {};
		try {
			return Conversations.parse(JSON.parse(readFileSync(this.#path, "utf8")));
		} catch {
			return {};
		}
	}

	#write(): void {
		if (this.#path !== undefined) writeFileSync(this.#path, JSON.stringify({ ...this.#read(), ...this.#held }));
	}
}
