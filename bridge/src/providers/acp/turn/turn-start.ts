import { changeOf, type Since } from "./edited-file.ts";

/** When a turn began: a file that has not changed since then was not edited in the turn. */
export class TurnStart {
	readonly #own = { at: Date.now(), tick: performance.now() };
	#there: Since["there"];

	/** @param folder a folder that was made for the turn; its times show the clock of its file system */
	async begin(folder: string): Promise<void> {
		this.#there = await changeOf(folder);
	}

	/**
	 * When the turn began, moved back by as much as the computer's clock has been set back since then, because files changed after that have
	 * earlier times too.
	 */
	get since(): Since {
		const { at, tick } = this.#own;
		const setBackMs = Math.max(0, at - (Date.now() - (performance.now() - tick)));
		const there = this.#there && { ...this.#there, at: this.#there.at - setBackMs };
		return { own: at - setBackMs, there };
	}
}
