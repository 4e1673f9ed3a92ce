import { ArrowLeft, PanelLeft } from "lucide-react";
import type { ReactNode } from "react";
import { fill, words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { preferences, setPreferences } from "../state/preferences.ts";
import { useWaitingNow } from "../state/use-waiting-now.ts";
import { withKeys } from "../text/key-names.ts";
import { Icon } from "./icon.tsx";

interface PageBarProps {
	readonly title: string;
	readonly chip?: ReactNode;
	readonly say?: string;
	/** The parent page, to which the arrow leads, regardless of the window's width. */
	readonly back?: { readonly href: string; readonly label: string };
	readonly children?: ReactNode;
}

/**
 * The bar above a page. On a phone, a bar without `back` has an arrow that leads to the list and shows how many threads and plans are
 * waiting for the user.
 */
export function PageBar({ title, chip, say, back, children }: PageBarProps) {
	const { setPane } = useApp();
	const { sidebar } = useStore(preferences);
	// The badge has no room for the time at which a number was last known, so a number that may be out of date is left out.
	const waiting = useWaitingNow();
	return (
		<header className="bar">
			{back === undefined ? (
				<button
					type="button"
					className="ib back"
					onClick={() => setPane("list")}
					aria-label={waiting === 0 ? words.sidebar.back : fill(words.sidebar.backNeeds, { count: waiting })}
				>
					<Icon of={ArrowLeft} />
					{waiting > 0 && <span className="count">{waiting}</span>}
				</button>
			) : (
				<a className="ib" href={back.href} aria-label={back.label} title={back.label}>
					<Icon of={ArrowLeft} />
				</a>
			)}
			{!sidebar && (
				<button
					type="button"
					className="ib hide-n"
					aria-label={words.sidebar.show}
					title={withKeys(words.sidebar.show, "Mod+B")}
					onClick={() => setPreferences({ sidebar: true })}
				>
					<Icon of={PanelLeft} />
				</button>
			)}
			<div className="ttl">
				<h1 className="cut">{title}</h1>
				{chip}
			</div>
			{say !== undefined && <span className="muted cut hide-n small">{say}</span>}
			<span className="grow" />
			{children}
		</header>
	);
}
