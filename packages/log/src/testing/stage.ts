import { afterEach } from "vitest";
import type { Engine, OpenPlace, Place, PlaceOptions } from "./engine.ts";

export interface Stage {
  place(): Promise<Place>;
  /** Opens a place, or throws why it can't be. */
  open(place: Place, options: PlaceOptions): Promise<OpenPlace>;
  /** A writer in a place, a new one unless told. */
  writer(place?: Place): Promise<OpenPlace>;
  reader(place: Place): Promise<OpenPlace>;
  /** The place that a crash of this one leaves. */
  crash(place: Place): Promise<Place>;
}

/** Places and stores for tests, closed and removed after each of them. */
export function stage(engine: Engine): Stage {
  const places = new Set<Place>();
  const stores = new Set<OpenPlace>();
  const keep = (place: Place) => {
    places.add(place);
    return place;
  };
  afterEach(async () => {
    await Promise.all([...stores].map((store) => store.close()));
    await Promise.all([...places].map((place) => place.remove()));
    stores.clear();
    places.clear();
  });
  const self: Stage = {
    place: async () => keep(await engine.place()),
    async open(place, options) {
      const opening = await place.open(options);
      if (!opening.ok) throw new Error(opening.message);
      stores.add(opening.store);
      return opening.store;
    },
    writer: async (place) => self.open(place ?? (await self.place()), { mode: "write" }),
    reader: (place) => self.open(place, { mode: "read" }),
    crash: async (place) => keep(await place.crash()),
  };
  return self;
}
