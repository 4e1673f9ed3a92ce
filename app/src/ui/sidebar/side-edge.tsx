import { words } from "../../strings/interface.ts";
import { WidthEdge } from "../components/width-edge.tsx";
import { useStore } from "../connection/store.ts";
import { preferences, setPreferences } from "../state/preferences.ts";

const LEAST = 220;
const MOST = 480;

/** The sidebar's edge, which the user drags to change the sidebar's width. */
export function SideEdge() {
	const { sideWidth } = useStore(preferences);
	return (
		<WidthEdge
			label={words.sidebar.width}
			className="panel-edge side-edge hide-n"
			side="right"
			property="--side-dragged"
			least={LEAST}
			step={16}
			kept={sideWidth}
			ariaMost={MOST}
			most={() => MOST}
			keep={(width) => setPreferences({ sideWidth: width })}
		/>
	);
}
