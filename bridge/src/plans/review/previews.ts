import { ContractError, canonicalJson, type Sha256 } from "@xworkmate/contracts";
import type { Built, DeliveryChannel, Message } from "../../ports/channels/channel.ts";
import { sha256Of } from "../domain/sha256.ts";

/** The bytes that were previewed, and the message that they were built from. */
interface Kept {
	readonly built: Built;
	readonly message: Sha256;
}

/** How many previews are kept. Beyond that, or beyond `MOST_BYTES`, the oldest is dropped. */
const MOST_KEPT = 100;
const MOST_BYTES = 64 * 1024 * 1024;

/** Keeps previewed messages, so that exactly those bytes are sent, even if the channel's settings have changed since. */
export class Previews {
	readonly #kept = new Map<Sha256, Kept>();
	#bytes = 0;

	/** Builds a message, and keeps its bytes if it belongs to an action. */
	async build(channel: DeliveryChannel, message: Message): Promise<Built> {
		const built = await channel.render(message);
		if (message.actionId !== undefined) this.#keep(built, message);
		return built;
	}

	/**
	 * The bytes of a message that have this hash.
	 * @throws ContractError PAYLOAD_CHANGED if the message now has a different hash
	 */
	async previewed(channel: DeliveryChannel, message: Message, sha256: Sha256): Promise<Built> {
		const kept = this.#kept.get(sha256);
		if (kept?.message === identity(message)) return kept.built;
		// The preview was dropped or shown by an earlier bridge, or the message has changed. Unless the message or the settings have
		// changed, the same bytes are built again.
		const built = await channel.render(message);
		if (built.payload.sha256 !== sha256) throw new ContractError("PAYLOAD_CHANGED");
		return built;
	}

	#keep(built: Built, message: Message): void {
		const { sha256, bytes } = built.payload;
		if (this.#kept.has(sha256)) return;
		this.#kept.set(sha256, { built, message: identity(message) });
		this.#bytes += bytes.length;
		for (const [oldest, { built: old }] of this.#kept) {
			if (this.#kept.size <= MOST_KEPT && this.#bytes <= MOST_BYTES) return;
			this.#kept.delete(oldest);
			this.#bytes -= old.payload.bytes.length;
		}
	}
}

/** The hash of everything in a message that its recipient may see. */
function identity({ files, ...message }: Message): Sha256 {
	return sha256Of(canonicalJson({ ...message, files: files.map(({ name, mediaType, bytes }) => [name, mediaType, sha256Of(bytes)]) }));
}
