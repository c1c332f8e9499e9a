import { modelSuite } from "../model.suite.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { sqliteEngine } from "../testing/sqlite-place.ts";

keepDiskThread();
modelSuite(sqliteEngine);
