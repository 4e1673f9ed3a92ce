import { type ComponentType, createElement, lazy, type ReactElement } from "react";
import { words } from "../../strings/interface.ts";

/** The code of a part of the page could not be loaded: the app does not respond, or it was updated and now serves different code. */
export class PartNotLoaded extends Error {
	/** Forgets the failure, so that the part's code is loaded again the next time the part is shown. */
	readonly forget: () => void;

	constructor(forget: () => void, cause: unknown) {
		super(words.page.notLoaded, { cause });
		this.forget = forget;
	}
}

/** For the error boundary of a part: forgets the failure, so that the part's code is loaded again the next time the part is shown. */
export function forgetFailure(error: unknown): void {
	if (error instanceof PartNotLoaded) error.forget();
}

/** A part of the page whose code is loaded when the part is first shown, or ahead of time. */
export class OnDemand<P extends object> {
	readonly #load: () => Promise<ComponentType<P>>;
	#loading: Promise<{ readonly default: ComponentType<P> }> | undefined;
	#loaded: ComponentType<P> | undefined;
	#given: ComponentType<P> | undefined;

	constructor(load: () => Promise<ComponentType<P>>) {
		this.#load = load;
	}

	/** Render it below a `Suspense` and an error boundary. A part that is already loaded is shown without the fallback. */
	readonly Part = (props: P): ReactElement => {
		// The same component is returned from now on, because a different one would be mounted from scratch and lose its state.
		this.#given ??= this.#loaded ?? lazy(this.#get);
		return createElement(this.#given, props);
	};

	/**
	 * Loads the part ahead of time.
	 * @throws PartNotLoaded; the part is then loaded again when it is shown
	 */
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
