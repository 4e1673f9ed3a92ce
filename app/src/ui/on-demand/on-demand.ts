import { type ComponentType, createElement, lazy, type ReactElement } from "react";
import { words } from "../../strings/interface.ts";

/** The program of a part of the page could not be loaded: the app does not respond, or it was updated and has another program. */
export class PartNotLoaded extends Error {
	/** Has it loaded again when the part is shown next. */
	readonly forget: () => void;

	constructor(forget: () => void, cause: unknown) {
		super(words.page.notLoaded, { cause });
		this.forget = forget;
	}
}

/** For the error boundary of a part: the next attempt to show it loads it again. */
export function forgetFailure(error: unknown): void {
	if (error instanceof PartNotLoaded) error.forget();
}

/** A part of the page whose program is loaded when it is first shown, or in advance. */
export class OnDemand<P extends object> {
	readonly #load: () => Promise<ComponentType<P>>;
	#loading: Promise<{ readonly default: ComponentType<P> }> | undefined;
	#loaded: ComponentType<P> | undefined;
	#given: ComponentType<P> | undefined;

	constructor(load: () => Promise<ComponentType<P>>) {
		this.#load = load;
	}

	/** Rendered below a `Suspense` and an error boundary. A part that is already loaded is shown without the fallback. */
	readonly Part = (props: P): ReactElement => {
		// The same one from then on: another one would be mounted afresh and lose its state.
		this.#given ??= this.#loaded ?? lazy(this.#get);
		return createElement(this.#given, props);
	};

	/** @throws PartNotLoaded; it is loaded again when the part is shown */
	async preload(): Promise<void> {
		await this.#get();
	}

	readonly #get = (): Promise<{ readonly default: ComponentType<P> }> => {
		this.#loading ??= this.#begin();
		return this.#loading;
	};

	async #begin(): Promise<{ readonly default: ComponentType<P> }> {
		try {
			this.#loaded = await this.#load();
			return { default: this.#loaded };
		} catch (cause) {
			this.#loading = undefined;
			throw new PartNotLoaded(() => {
				this.#given = undefined;
			}, cause);
		}
	}
}
