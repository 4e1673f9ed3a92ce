import type { ReactNode } from "react";
import type { AppState } from "../../src/api/ui-api.ts";
import { AppLink, type Link } from "../../src/ui/connection/app-link.ts";
import { Store, useStore } from "../../src/ui/connection/store.ts";
import { AppContext } from "../../src/ui/state/app-context.tsx";
import { appState } from "./stories.ts";

/** What stands around every part of the page: the app's state, which a test changes, and what was said aloud. */
export class InApp {
	readonly app: Store<AppState>;
	readonly link: Store<Link["state"]>;
	/** When the app was last heard of, for a page that it is away from. */
	heardAt: string | undefined;
	readonly said: string[] = [];
	/** What a phone shows. */
	readonly pane = new Store<"list" | "thread" | "panel">("thread");
	readonly appLink = new AppLink();

	constructor(app: AppState = appState, link: Link["state"] = "live") {
		this.app = new Store(app);
		this.link = new Store(link);
	}

	readonly wrapper = ({ children }: { readonly children: ReactNode }) => {
		const app = useStore(this.app);
		const state = useStore(this.link);
		const pane = useStore(this.pane);
		const { heardAt, appLink } = this;
		const still = {
			clockAheadMs: 0,
			today: 0,
			heardAt,
			pane,
			setPane: (to: "list" | "thread" | "panel") => this.pane.set(to),
		};
		const announce = (text: string) => void this.said.push(text);
		return <AppContext value={{ link: appLink, state, app, announce, ...still }}>{children}</AppContext>;
	};
}
