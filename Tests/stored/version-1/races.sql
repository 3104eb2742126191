PRAGMA application_id = 1752658529;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE race (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started INTEGER NOT NULL,
  url TEXT NOT NULL,
  duration REAL,
  winner TEXT,
  ending TEXT NOT NULL
);
INSERT INTO race VALUES(1,1795349311,'http://127.0.0.1:40087',1.0,'BeeLow','finished');
CREATE TABLE event (
  race INTEGER NOT NULL REFERENCES race ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (race, seq)
) WITHOUT ROWID;
INSERT INTO event VALUES(1,1,'start','{"event":"start","seq":1,"elapsed":0,"remaining":1,"duration":1}');
INSERT INTO event VALUES(1,2,'standings','{"event":"standings","seq":2,"elapsed":0.005,"remaining":0.994,"beeList":[{"name":"BeeAman","color":"#8a18a3"},{"name":"BeeKeep","color":"#eff7a3"},{"name":"BeeStouri","color":"#183da3"},{"name":"BeeGees","color":"#8d62a1"},{"name":"BeeM","color":"#d68b6b"},{"name":"BeeWare","color":"#86a162"},{"name":"BeeCome","color":"#6bcad6"},{"name":"Beech","color":"#464247"},{"name":"BeeLow","color":"#bfde64"}]}');
INSERT INTO event VALUES(1,3,'standings','{"event":"standings","seq":3,"elapsed":1.002,"remaining":0,"beeList":[{"name":"BeeLow","color":"#bfde64"},{"name":"Beech","color":"#464247"},{"name":"BeeAman","color":"#8a18a3"},{"name":"BeeKeep","color":"#eff7a3"},{"name":"BeeGees","color":"#8d62a1"},{"name":"BeeStouri","color":"#183da3"},{"name":"BeeM","color":"#d68b6b"},{"name":"BeeWare","color":"#86a162"},{"name":"BeeCome","color":"#6bcad6"}]}');
INSERT INTO event VALUES(1,4,'finish','{"event":"finish","seq":4,"elapsed":1.002,"remaining":0,"beeList":[{"name":"BeeLow","color":"#bfde64"},{"name":"Beech","color":"#464247"},{"name":"BeeAman","color":"#8a18a3"},{"name":"BeeKeep","color":"#eff7a3"},{"name":"BeeGees","color":"#8d62a1"},{"name":"BeeStouri","color":"#183da3"},{"name":"BeeM","color":"#d68b6b"},{"name":"BeeWare","color":"#86a162"},{"name":"BeeCome","color":"#6bcad6"}],"winner":"BeeLow","provisional":false}');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('race',1);
COMMIT;
