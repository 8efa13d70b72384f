module Acme.Svc (load, module X) where
import qualified Data.Map as M
import Data.List (sort, nub)
import Acme.Store hiding (get)
data Svc = Svc { repo :: Repo, http :: Http } deriving (Show, Eq)
class Base a => Shape a where
  area :: a -> Double
instance Shape Svc where
  area s = M.size (helper s)
load :: Int -> IO User
load i = do
  u <- find (repo svc) i
  let x = handler u
  return $ map handler . nub $ sort x
handler :: User -> [Int]
handler u = M.foldr (+) 0 u `seq` go u
  where go = helper
