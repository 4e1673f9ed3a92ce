import { useEffect, useMemo, useState } from "react";
import { words } from "../strings/interface.ts";
import type { AppLink } from "./connection/app-link.ts";
import { useStore } from "./connection/store.ts";
import { DisconnectedPage } from "./disconnected-page.tsx";
import { Frame } from "./frame.tsx";
import { AppContext, type AppContextValue } from "./state/app-context.tsx";
import { sendKeptStops } from "./state/kept-stops.ts";
import { useSaid } from "./state/said.ts";
import { useToday } from "./state/use-clock.ts";

/** The whole page: renders the app's small state and the page's own state. */
export function App({ link }: { readonly link: AppLink }) {
	const { state, app, clockAheadMs, heardAt } = useStore(link.link);
	// The time of the last response matters only once the app is unreachable. Until then it is left out, so that the page is not rendered
	// again with every line that arrives.
	const goneSince = state === "live" ? undefined : heardAt;
	const [pane, setPane] = useState<AppContextValue["pane"]>("thread");
	const { said, announce } = useSaid();
	const today = useToday();
	const value = useMemo(
		() => app && { link, state, app, clockAheadMs, heardAt: goneSince, today, pane, setPane, announce },
		[link, state, app, clockAheadMs, goneSince, today, pane, announce],
	);
	useEffect(() => {
		if (state === "live") void sendKeptStops();
	}, [state]);
	if (value === undefined || state === "signed_out") return <DisconnectedPage state={state} tryNow={link.tryNow} />;
	return (
		<AppContext value={value}>
			<Frame />
			<output className="vh aloud" aria-live="polite" aria-atomic="false" aria-label={words.product}>
				{said.map(({ id, text }) => (
					<span key={id}>{text} </span>
				))}
			</output>
		</AppContext>
	);
}
