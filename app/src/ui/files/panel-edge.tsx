import { words } from "../../strings/interface.ts";
import { WidthEdge, widthOf } from "../components/width-edge.tsx";
import { useStore } from "../connection/store.ts";
import { preferences, setPreferences } from "../state/preferences.ts";

const LEAST = 280;
const MOST = 1_600;
/** The minimum width of the conversation beside the panel. */
const CONVERSATION = 360;

/** The edge between the conversation and the panel. */
export function PanelEdge() {
	const { panelWidth } = useStore(preferences);
	return (
		<WidthEdge
			label={words.files.width}
			className="panel-edge hide-n"
			side="left"
			property="--panel-dragged"
			least={LEAST}
			step={24}
			kept={panelWidth}
			ariaMost={MOST}
			most={most}
			keep={(width) => setPreferences({ panelWidth: width })}
		/>
	);
}

/** The largest width that leaves the conversation its minimum. */
function most(edge: HTMLElement | null): number {
	const main = edge?.closest(".app")?.querySelector(":scope > .main");
	const room = main === null || main === undefined ? MOST : (widthOf(edge) ?? LEAST) + main.getBoundingClientRect().width - CONVERSATION;
	return Math.max(LEAST, Math.min(MOST, Math.floor(room)));
}
