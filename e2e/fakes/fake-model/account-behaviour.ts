import { listOf, objectOf, stringOf } from "./json.ts";

/** How a request with a certain credential goes wrong. */
export interface AccountBehaviour {
	/** The credential; `*` for any, and for none. */
	readonly secret: string;
	/** How many requests; absent: all until it is told otherwise. */
	readonly times?: number;
	/** An HTTP error. */
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** Of the error. */
	readonly type?: string;
	readonly message?: string;
	/** What a stream does after its first words. */
	readonly stream?: StreamFault;
	/** Answers a request for a stream with one JSON document. */
	readonly whole?: boolean;
}

const streamFaults = ["error", "cut", "end", "silent", "flood"] as const;
/** `cut`: the connection is lost. `end`: the answer ends as if it were whole. `silent`: nothing more comes. `flood`: it never ends. */
export type StreamFault = (typeof streamFaults)[number];

export function streamFaultOf(value: unknown): StreamFault | undefined {
	return streamFaults.find((one) => one === value);
}

/** What was set for each credential. */
export class Accounts {
	#told: readonly AccountBehaviour[] = [];

	/** Replaces what was set for this credential; nothing but the secret makes it work again. */
	tell(value: unknown): void {
		const told = behaviourOf(value);
		this.#told = [...this.#told.filter(({ secret }) => secret !== told.secret), told];
	}

	/** What happens to the next request with this credential. */
	take(secret: string): AccountBehaviour | undefined {
		const told = this.#told.find((one) => one.secret === secret) ?? this.#told.find((one) => one.secret === "*");
		if (told?.times === undefined) return told;
		this.#told = this.#told.flatMap((one) => (one !== told ? [one] : told.times === 1 ? [] : [{ ...told, times: (told.times ?? 1) - 1 }]));
		return told;
	}

	static from(json: string | undefined): Accounts {
		const accounts = new Accounts();
		const told: unknown = JSON.parse(json ?? "[]");
		for (const value of listOf(told)) accounts.tell(value);
		return accounts;
	}
}

function behaviourOf(value: unknown): AccountBehaviour {
	const { secret, times, status, headers, type, message, stream, whole } = objectOf(value);
	const fault = streamFaultOf(stream);
	return {
		secret: stringOf(secret) || "*",
		...(typeof times === "number" ? { times } : {}),
		...(typeof status === "number" ? { status } : {}),
		headers: Object.fromEntries(Object.entries(objectOf(headers)).map(([name, text]) => [name, String(text)])),
		...(typeof type === "string" ? { type } : {}),
		...(typeof message === "string" ? { message } : {}),
		...(fault === undefined ? {} : { stream: fault }),
		...(whole === true ? { whole } : {}),
	};
}
