import type { Unavailable } from "@xworkmate/contracts";
import pTimeout from "p-timeout";
import { type DiagnoseOptions, diagnoseGateway, notAnswering } from "./diagnose-gateway.ts";
import type { GatewayBounds } from "./gateway/gateway-bounds.ts";
import type { GatewayLink } from "./gateway/gateway-link.ts";

export interface GatewayDoctorOptions extends DiagnoseOptions {
	readonly bounds: Pick<GatewayBounds, "requestMs" | "doctorMs" | "diagnoseMs">;
}

interface Diagnosis {
	readonly link: GatewayLink;
	readonly problem: Promise<Unavailable | undefined>;
	/** When the diagnosis ended; undefined while it is in progress. */
	at: number | undefined;
}

/** Reports whether the gateway can be used. Runs one diagnosis at a time, because all diagnoses of a bridge share a trial run. */
export class GatewayDoctor {
	readonly #options: GatewayDoctorOptions;
	#latest: Diagnosis | undefined;

	constructor(options: GatewayDoctorOptions) {
		this.#options = options;
	}

	/** Returns the result of a diagnosis that is in progress or ended less than `doctorMs` ago; otherwise starts a new one. */
	problemOf(link: GatewayLink): Promise<Unavailable | undefined> {
		return this.#within(this.#diagnosis(link, this.#options.bounds.doctorMs).problem);
	}

	/** Returns the result of a diagnosis that is in progress; otherwise starts a new one. */
	examine(link: GatewayLink): Promise<Unavailable | undefined> {
		return this.#within(this.#diagnosis(link, 0).problem);
	}

	#diagnosis(link: GatewayLink, maxAgeMs: number): Diagnosis {
		const known = this.#latest;
		if (known?.link === link && (known.at === undefined || performance.now() - known.at < maxAgeMs)) return known;
		const diagnosis: Diagnosis = { link, problem: this.#begin(link, known), at: undefined };
		const over = () => {
			diagnosis.at = performance.now();
		};
		diagnosis.problem.then(over, over);
		this.#latest = diagnosis;
		return diagnosis;
	}

	async #begin(link: GatewayLink, before: Diagnosis | undefined): Promise<Unavailable | undefined> {
		// Waits for the earlier diagnosis, which ends when its connection closes. The callers of that diagnosis handle its error.
		await before?.problem.catch(() => undefined);
		return diagnoseGateway(link, this.#options);
	}

	/** Limits the wait: a diagnosis that takes longer continues, and `problemOf` returns its result for `doctorMs` after its end. */
	#within(problem: Promise<Unavailable | undefined>): Promise<Unavailable | undefined> {
		return pTimeout(problem, { milliseconds: this.#options.bounds.diagnoseMs, fallback: () => notAnswering });
	}
}
