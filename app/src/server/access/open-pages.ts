import type { AppChange, ParkedLine } from "../../api/ui-api.ts";

/**
 * The maximum number of pages that may follow the state at once. A browser opens at most six connections to one host for all of its
 * pages: with more followers, and the streams of active turns, no call would get through.
 */
const FOLLOWING = 3;

interface Follower {
	park(): void;
}

/** The pages that follow the state. If there are too many, the page that has followed longest is notified and disconnected. */
export class OpenPages {
	readonly #followers = new Set<Follower>();

	follow(followed: AsyncIterable<AppChange>): AsyncIterable<AppChange | ParkedLine> {
		const changes = followed[Symbol.asyncIterator]();
		for (const oldest of this.#followers) {
			if (this.#followers.size < FOLLOWING) break;
			this.#followers.delete(oldest);
			oldest.park();
		}
		let parked = false;
		const follower = {
			park: () => {
				parked = true;
				void changes.return?.();
			},
		};
		this.#followers.add(follower);
		return this.#lines(changes, follower, () => parked);
	}

	#lines(changes: AsyncIterator<AppChange>, follower: Follower, isParked: () => boolean): AsyncIterableIterator<AppChange | ParkedLine> {
		let told = false;
		return {
			[Symbol.asyncIterator]() {
				return this;
			},
			next: async () => {
				const next = await changes.next();
				if (next.done !== true || told || !isParked()) return next;
				told = true;
				return { done: false, value: { type: "parked" } };
			},
			return: async () => {
				this.#followers.delete(follower);
				await changes.return?.();
				return { done: true, value: undefined };
			},
		};
	}
}
